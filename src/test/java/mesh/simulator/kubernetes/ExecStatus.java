package mesh.simulator.kubernetes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** How a command ended, in the words of channel 3. */
final class ExecStatus {

  private ExecStatus() {}

  static ObjectNode exited(int code, List<String> command) {
    if (code == 0) {
      return Json.object(Map.of("metadata", Map.of(), "status", "Success"));
    }
    var argv = String.join(" ", command);
    var status = failure("NonZeroExitCode");
    status.put(
        "message",
        "command terminated with non-zero exit code: error executing command ["
            + argv
            + "], exit code "
            + code);
    status.put(
        "details", Map.of("causes", List.of(Map.of("reason", "ExitCode", "message", "" + code))));
    return Json.object(status);
  }

  static ObjectNode notStarted(String why) {
    var cause =
        "error executing command in container: failed to exec in container: failed to start exec: "
            + why;
    var status = failure("InternalError");
    status.put("message", "Internal error occurred: " + cause);
    status.put("details", Map.of("causes", List.of(Map.of("message", cause))));
    status.put("code", 500);
    return Json.object(status);
  }

  private static Map<String, Object> failure(String reason) {
    var status = new LinkedHashMap<String, Object>();
    status.put("metadata", Map.of());
    status.put("status", "Failure");
    status.put("reason", reason);
    return status;
  }
}
