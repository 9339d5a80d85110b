package mesh.execution.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.Sandbox;

/** Tries from inside a sandbox what it can connect to. */
final class Reach {

  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int NO_TOOL = 3;

  /**
   * Prints what of its arguments can be connected to, all tried at once. The cluster tells its pods
   * where its own interface is, which every pod can connect to that may connect anywhere.
   */
  private static final String SCRIPT =
      """
      if command -v bash; then
        try() { timeout 2 bash -c 'exec 3<>"/dev/tcp/$1/$2"' mesh "$1" "$2"; }
      elif command -v python3; then
        try() { timeout 2 python3 -c 'import socket, sys
      socket.create_connection((sys.argv[1], int(sys.argv[2])), 2)' "$1" "$2"; }
      elif command -v nc; then
        try() { timeout 2 nc -w 2 "$1" "$2" </dev/null; }
      else
        exit 3
      fi >/dev/null
      set -- "${KUBERNETES_SERVICE_HOST:-none.invalid}" "${KUBERNETES_SERVICE_PORT:-443}" "$@"
      while [ $# -gt 1 ]; do
        { try "$1" "$2" >/dev/null 2>&1 && echo "$1"; } &
        shift 2
      done
      wait
      """;

  private Reach() {}

  /** Nothing that a policy can name: the metadata service of clouds, and an address outside. */
  private static final List<String> ELSEWHERE = List.of("169.254.169.254", "80", "1.1.1.1", "443");

  /** The addresses that it can connect to, of some that no policy of Mesh's ever allows. */
  static List<String> of(Sandbox sandbox) throws InterruptedException {
    var argv = new java.util.ArrayList<>(List.of("sh", "-c", SCRIPT, "mesh"));
    argv.addAll(ELSEWHERE);
    var output = new ByteArrayOutputStream();
    var outcome =
        sandbox.exec(
            Command.of(argv, Manifest.HOME, LONGEST),
            (channel, bytes) -> {
              while (channel == Channel.STDOUT && bytes.hasRemaining()) {
                output.write(bytes.get());
              }
            });
    if (outcome.equals(new Outcome.Exited(NO_TOOL, 0))) {
      throw new BackendException.Rejected(
          "egress cannot be limited: whether it is cannot be tested in an image that has neither"
              + " bash nor python3 nor nc",
          null);
    }
    if (!outcome.equals(new Outcome.Exited(0, 0))) {
      throw new BackendException.Unavailable(
          "whether egress is limited could not be tested: the test ended as " + outcome,
          Duration.ZERO,
          null);
    }
    return output.toString(UTF_8).lines().sorted().toList();
  }
}
