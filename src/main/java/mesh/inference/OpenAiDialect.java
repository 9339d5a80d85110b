package mesh.inference;

import java.util.Optional;

/**
 * In what services that speak OpenAI's protocol differ from it. Nobody has to know: it begins with
 * what is likely, and what is refused by name is left out from then on.
 *
 * @param completionTokens whether a reply's limit is {@code max_completion_tokens}, as OpenAI's own
 *     newer models demand, or {@code max_tokens}, which most others know alone
 * @param usage whether {@code stream_options} may ask for the tokens
 */
record OpenAiDialect(boolean completionTokens, boolean usage) {

  static OpenAiDialect likely(Connection connection) {
    var host = String.valueOf(connection.baseUrl().getHost());
    return new OpenAiDialect(host.endsWith("openai.com") || host.endsWith(".azure.com"), true);
  }

  /** Another one to try after a refusal; none if the refusal is about something else. */
  Optional<OpenAiDialect> after(Trouble trouble) {
    if (trouble.status() != 400 && trouble.status() != 422) {
      return Optional.empty();
    }
    var named = trouble.parameter() + " " + trouble.text();
    if (usage && named.contains("stream_options")) {
      return Optional.of(new OpenAiDialect(completionTokens, false));
    }
    var own = completionTokens ? "max_completion_tokens" : "max_tokens";
    boolean unknown =
        trouble.parameter().equals(own)
            || (named.contains(own)
                && named.matches(
                    "(?is).*(unsupported|not supported|unrecognized|unknown|extra|not permitted|unexpected).*"));
    boolean tooLarge = named.matches("(?is).*(too large|at most|maximum|exceed).*");
    return unknown && !tooLarge
        ? Optional.of(new OpenAiDialect(!completionTokens, usage))
        : Optional.empty();
  }
}
