package mesh.simulator.model;

/** Whose protocol a request speaks. */
public enum Dialogue {
  ANTHROPIC,
  OPENAI
}
