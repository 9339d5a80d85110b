package mesh.dashboard;

import java.util.ArrayList;
import java.util.List;
import mesh.dashboard.output.CommandLine;
import mesh.dashboard.output.Folded;
import mesh.dashboard.output.VisibleText;
import tools.jackson.databind.JsonNode;

/**
 * A command as somebody would have typed it.
 *
 * @param line what fits into one line
 * @param block what needs several, such as a script; empty if the line says it all
 */
record Typed(String line, Folded block) {

  private static final int LINE_CHARACTERS = 240;

  /**
   * @param input arguments of {@code workspace_exec}
   */
  static Typed of(JsonNode input) {
    if (input.path("script").isString()) {
      String script = input.path("script").stringValue().strip();
      return fits(script)
          ? new Typed(VisibleText.line(script), Folded.of(""))
          : new Typed("sh", Folded.of(script));
    }
    List<String> argv = new ArrayList<>();
    input.path("argv").forEach(word -> argv.add(word.asString("")));
    String whole = CommandLine.of(argv);
    if (fits(whole)) {
      return new Typed(VisibleText.line(whole), Folded.of(""));
    }
    List<String> rest = argv.subList(0, argv.size() - 1);
    String start = CommandLine.of(rest);
    // As in sh -c '…': the last word is the program.
    return fits(start) && !rest.isEmpty()
        ? new Typed(VisibleText.line(start), Folded.of(argv.getLast()))
        : new Typed(VisibleText.firstLine(whole, LINE_CHARACTERS), Folded.of(whole));
  }

  private static boolean fits(String text) {
    return text.indexOf('\n') < 0 && text.length() <= LINE_CHARACTERS;
  }
}
