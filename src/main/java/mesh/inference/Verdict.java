package mesh.inference;

import java.util.Locale;
import java.util.regex.Pattern;
import mesh.inference.ModelException.Rejected;
import mesh.inference.ModelException.TooLong;
import mesh.inference.ModelException.Unavailable;
import mesh.inference.ModelException.Unexpected;

/** What a trouble means: whether asking again helps, and if not, who does. */
final class Verdict {

  /**
   * How services say that a prompt has too many tokens: Anthropic, OpenAI, and those that speak
   * like them (vLLM, llama.cpp, Gemini, Mistral, Groq, Bedrock).
   */
  private static final Pattern TOO_LONG =
      Pattern.compile(
          "context_length_exceeded|exceed_context_size|request_too_large|model_max_prompt_tokens_exceeded"
              + "|prompt is too long|input is too long|exceed context limit|maximum context length"
              + "|context window|available context size|input token count .*exceeds|input tokens exceed"
              + "|maximum prompt length|reduce the length of the messages|request too large for"
              + "|too large for model with");

  /** How they say that a reply may be no longer than something. */
  private static final Pattern REPLY_TOO_LONG =
      Pattern.compile(
          "max(_completion)?_tokens: \\d+ >|maximum allowed number of output tokens"
              + "|supports at most \\d+ completion tokens|max(_completion)?_tokens is too large(?!.*context)");

  private static final Pattern NO_CREDIT =
      Pattern.compile(
          "insufficient_quota|billing_error|billing_hard_limit|credit balance is too low"
              + "|exceeded your current quota|insufficient balance|insufficient credits");

  private Verdict() {}

  /** Whether the same request may be answered a little later. */
  static boolean passes(Trouble trouble) {
    return switch (trouble.kind()) {
      case UNREACHABLE, SILENT, CUT -> true;
      case GARBLED, NOT_ASKED -> false;
      case ANSWERED -> passesStatus(trouble);
    };
  }

  private static boolean passesStatus(Trouble trouble) {
    if (says(trouble, NO_CREDIT) || says(trouble, TOO_LONG)) {
      return false;
    }
    var wish = trouble.again();
    if (wish != null) {
      return wish;
    }
    int status = trouble.status();
    return status == 408 || status == 409 || status == 425 || status == 429 || status >= 500;
  }

  /** What the loop is told once nothing more is tried. */
  static ModelException exception(
      Trouble trouble, Connection connection, String model, int attempts) {
    var name = "The connection '%s'".formatted(connection.name());
    return switch (trouble.kind()) {
      case UNREACHABLE, SILENT, CUT ->
          new Unavailable(
              "%s gave no reply in %s. %s".formatted(name, times(attempts), trouble.text()),
              trouble);
      case GARBLED ->
          new Unexpected("%s was not understood. %s".formatted(name, trouble.text()), trouble);
      case NOT_ASKED -> new Rejected("%s is not used. %s".formatted(name, trouble.text()));
      case ANSWERED -> answered(trouble, name, model, attempts);
    };
  }

  private static ModelException answered(Trouble trouble, String name, String model, int attempts) {
    int status = trouble.status();
    if (says(trouble, REPLY_TOO_LONG)) {
      return new Rejected(
          "%s refuses replies as long as the agent's model sets: make reply_tokens smaller.%s"
              .formatted(name, quoted(trouble)));
    }
    if (says(trouble, NO_CREDIT) || status == 402) {
      return new Rejected(
          "%s has no credit left: fill up the account of its key, or enter the key of another under Settings → Models."
              .formatted(name));
    }
    if (status == 413 || (says(trouble, TOO_LONG) && status < 500)) {
      return new TooLong(
          "The prompt is longer than '%s' reads.%s".formatted(model, quoted(trouble)));
    }
    if (passes(trouble)) {
      return new Unavailable(
          "%s answered %d to %s, the last time%s"
              .formatted(name, status, times(attempts), quoted(trouble, ":", ".")),
          trouble);
    }
    if (status >= 300 && status < 400) {
      return new Rejected(
          "%s leads elsewhere (%d), and a key is not sent after it: enter the final base URL under Settings → Models."
              .formatted(name, status));
    }
    return switch (status) {
      // What it says may show part of the key.
      case 401 ->
          new Rejected(
              "%s does not accept its key (401): enter a valid one under Settings → Models."
                  .formatted(name));
      case 403 ->
          new Rejected(
              "%s does not let its key use '%s' (403): allow it at the service, or enter another key under Settings → Models.%s"
                  .formatted(name, model, quoted(trouble)));
      case 404 ->
          new Rejected(
              "%s knows no model '%s', or its base URL is not the API's (404): correct the agent's model, or the base URL under Settings → Models.%s"
                  .formatted(name, model, quoted(trouble)));
      default ->
          status < 500
              ? new Rejected(
                  "%s refused the request (%d): look at the agent's model and its settings.%s"
                      .formatted(name, status, quoted(trouble)))
              : new Unavailable(
                  "%s answered %d and asks not to be asked again.%s"
                      .formatted(name, status, quoted(trouble)),
                  trouble);
    };
  }

  private static String quoted(Trouble trouble) {
    return quoted(trouble, "", "");
  }

  private static String quoted(Trouble trouble, String before, String otherwise) {
    return trouble.text().isEmpty()
        ? otherwise
        : "%s It says: \"%s\"".formatted(before, trouble.text());
  }

  private static String times(int attempts) {
    return attempts == 1 ? "1 attempt" : attempts + " attempts";
  }

  private static boolean says(Trouble trouble, Pattern words) {
    return words.matcher((trouble.code() + " " + trouble.text()).toLowerCase(Locale.ROOT)).find();
  }
}
