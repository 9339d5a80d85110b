package mesh.simulator.modal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import modal.router.TaskExecStartRequest;
import modal.router.TaskExecStderrConfig;
import modal.router.TaskExecStdoutConfig;

/** A command to be run in a container. */
record ExecRequest(
    List<String> argv,
    Optional<String> directory,
    Map<String, String> environment,
    Optional<Duration> timeout,
    boolean keepStdout,
    boolean keepStderr) {

  private static final int LONGEST = 128 * 1024;

  static ExecRequest of(TaskExecStartRequest request, Secrets secrets) {
    var argv = List.copyOf(request.getCommandArgsList());
    if (argv.isEmpty() || request.getExecId().isEmpty()) {
      throw Refusal.invalid("command_args and exec_id are required");
    }
    if (argv.stream().mapToInt(String::length).sum() > LONGEST) {
      throw Refusal.invalid("the arguments are too long");
    }
    if (request.hasWorkdir() && !request.getWorkdir().startsWith("/")) {
      throw Refusal.invalid("workdir must be absolute: " + request.getWorkdir());
    }
    if (request.getStderrConfig() == TaskExecStderrConfig.TASK_EXEC_STDERR_CONFIG_STDOUT) {
      throw Refusal.invalid("stderr cannot be sent to stdout");
    }
    if (request.hasPtyInfo() && request.getPtyInfo().getEnabled()) {
      throw Refusal.unimplemented("this simulator has no terminals");
    }
    return new ExecRequest(
        argv,
        request.hasWorkdir() ? Optional.of(request.getWorkdir()) : Optional.empty(),
        secrets.environment(
            request.getSecretIdsList(), request.getEnvMap(), request.getSecretSourcesList()),
        request.hasTimeoutSecs()
            ? Optional.of(Duration.ofSeconds(Integer.toUnsignedLong(request.getTimeoutSecs())))
            : Optional.empty(),
        request.getStdoutConfig() == TaskExecStdoutConfig.TASK_EXEC_STDOUT_CONFIG_PIPE,
        request.getStderrConfig() == TaskExecStderrConfig.TASK_EXEC_STDERR_CONFIG_PIPE);
  }
}
