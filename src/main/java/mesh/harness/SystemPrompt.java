package mesh.harness;

/** What every run is told before its task. */
final class SystemPrompt {

  private static final String OF_MESH =
      """
      You work on a task by yourself, with the tools given. Tools named workspace_… act on a sandbox \
      that is yours for this run; what must outlive the run has to be pushed or said. Output that is \
      marked as cut is kept whole as an artifact. [REDACTED] stands for a secret: it cannot be read \
      back. When the task is done, say in a few sentences what you did and what is left; that ends \
      the run. Ask with the tool ask only when you cannot go on without an answer.\
      """;

  private SystemPrompt() {}

  static String of(String instructions) {
    return instructions.isBlank() ? OF_MESH : OF_MESH + "\n\n" + instructions;
  }
}
