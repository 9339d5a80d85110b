package mesh.execution.kubernetes;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the cluster says on a socket of its own about how a program ended, once.
 *
 * @param ended whether it began and ended; false if it never began
 * @param words the cluster's own
 */
record ExecStatus(boolean ended, String words) {

  private static final JsonMapper JSON = new JsonMapper();

  static ExecStatus parse(String text) {
    try {
      var json = JSON.readTree(text);
      var status = json.path("status").asString("");
      var reason = json.path("reason").asString("");
      return new ExecStatus(
          status.equals("Success") || reason.equals("NonZeroExitCode"),
          Refusal.line(json.path("message").asString("")));
    } catch (JacksonException notJson) {
      return new ExecStatus(false, Refusal.line(text));
    }
  }
}
