package mesh.execution.modal;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import mesh.execution.BackendException;
import mesh.execution.remote.Exec;
import mesh.execution.remote.ExecChannel;
import mesh.execution.remote.Patience;
import modal.client.GenericResult;
import modal.router.TaskExecStartRequest;
import modal.router.TaskExecStartResponse;
import modal.router.TaskExecStderrConfig;
import modal.router.TaskExecStdoutConfig;

/**
 * Starts programs. One is started under an id of ours, so another attempt after a lost answer
 * starts no second.
 */
final class Connector implements Exec {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The vendor has no word of its own for it; it says it in a sentence. */
  private static final Pattern MEMORY = Pattern.compile("memory|\\boom\\b");

  private final Routers routers;
  private final ModalApi api;
  private final Ambience ambience;
  private final Patience patience;

  Connector(Routers routers, ModalApi api, Ambience ambience, Patience patience) {
    this.routers = routers;
    this.api = api;
    this.ambience = ambience;
    this.patience = patience;
  }

  /**
   * A program without a time limit of the vendor's: that would kill the script, which its command
   * does not end with, and perhaps also what a command left in the background, which must live.
   * What bounds a command when Mesh stands still is the sandbox's own timeout.
   */
  @Override
  public Session open(String sandbox, List<String> argv) throws InterruptedException {
    var program = new Program(routers, sandbox, ambience.ids().get().toString());
    var request =
        TaskExecStartRequest.newBuilder()
            .setExecId(program.id())
            .addAllCommandArgs(argv)
            .setStdoutConfig(TaskExecStdoutConfig.TASK_EXEC_STDOUT_CONFIG_PIPE)
            .setStderrConfig(TaskExecStderrConfig.TASK_EXEC_STDERR_CONFIG_PIPE);
    patience.retrying(() -> start(sandbox, request));
    return Session.of(program, api, ambience);
  }

  private boolean start(String sandbox, TaskExecStartRequest.Builder request)
      throws InterruptedException {
    try {
      routers.<TaskExecStartResponse>use(
          sandbox,
          (stub, task) ->
              stub.withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                  .taskExecStart(request.setTaskId(task).build()));
      return true;
    } catch (StatusRuntimeException failed) {
      if (Calls.code(failed) == Status.Code.ALREADY_EXISTS) {
        return true;
      }
      throw routers.failed(sandbox, failed);
    }
  }

  /** The vendor has no such thing; it can only end the whole sandbox. */
  @Override
  public void kill(String sandbox, ExecChannel channel) {}

  /** Asked once: without an answer nothing is known. */
  @Override
  public boolean ranOutOfMemory(String sandbox) throws InterruptedException {
    try {
      return api.result(sandbox, Duration.ZERO).filter(Connector::isForWantOfMemory).isPresent();
    } catch (BackendException unknown) {
      return false;
    }
  }

  /** Exit code 137 alone is that of everything that was killed. */
  private static boolean isForWantOfMemory(GenericResult result) {
    return switch (result.getStatus()) {
      case GENERIC_STATUS_MEMORY_MANAGER_EVICTION -> true;
      case GENERIC_STATUS_FAILURE, GENERIC_STATUS_INTERNAL_FAILURE ->
          MEMORY.matcher(result.getException().toLowerCase(Locale.ROOT)).find();
      default -> false;
    };
  }
}
