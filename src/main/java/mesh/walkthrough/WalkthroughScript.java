package mesh.walkthrough;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The model of the walkthrough's agent: a script that checks out, runs, writes and reads. */
final class WalkthroughScript {

  /** A git bundle: a small repository as one file. */
  private static final String REPOSITORY = "walkthrough.bundle";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private WalkthroughScript() {}

  static ObjectNode model() {
    var model = JSON.objectNode().put("kind", "scripted");
    var steps = model.putArray("steps");
    step(
        steps,
        "I bring a small git repository into my workspace.",
        "workspace_write_file",
        JSON.objectNode()
            .put("path", "greeting.bundle")
            .put("content", repository())
            .put("encoding", "base64"));
    step(
        steps,
        "I check it out.",
        "workspace_exec",
        argv("git", "clone", "--quiet", "--branch", "main", "greeting.bundle", "greeting"));
    step(steps, "I run its tests.", "workspace_exec", argv("sh", "test.sh").put("dir", "greeting"));
    step(
        steps,
        "I write a file of my own,",
        "workspace_write_file",
        JSON.objectNode()
            .put("path", "greeting/NOTES.md")
            .put("content", "The tests pass. Written by the walkthrough's agent.\n"));
    step(
        steps,
        "and read it back.",
        "workspace_read_file",
        JSON.objectNode().put("path", "greeting/NOTES.md"));
    step(
        steps,
        "This is what I changed:",
        "workspace_exec",
        argv("git", "status", "--short").put("dir", "greeting"));
    return model.put(
        "summary",
        "I checked out a repository, ran its tests, wrote a file and read it back. My workspace is being released.");
  }

  private static void step(ArrayNode steps, String text, String tool, ObjectNode arguments) {
    steps.addObject().put("text", text).put("tool", tool).set("arguments", arguments);
  }

  private static ObjectNode argv(String... argv) {
    var arguments = JSON.objectNode();
    var list = arguments.putArray("argv");
    for (var argument : argv) {
      list.add(argument);
    }
    return arguments;
  }

  private static String repository() {
    try (var bundle = new ClassPathResource(REPOSITORY).getInputStream()) {
      return Base64.getEncoder().encodeToString(bundle.readAllBytes());
    } catch (IOException broken) {
      throw new UncheckedIOException("the walkthrough's repository is not in the jar", broken);
    }
  }
}
