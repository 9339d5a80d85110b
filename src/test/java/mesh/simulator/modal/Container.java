package mesh.simulator.modal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.simulator.namespace.Command;
import mesh.simulator.namespace.Namespace;
import modal.client.GenericResult;
import modal.client.Sandbox;

/** What runs of a sandbox, until it is finished. */
final class Container {

  private final Sandbox definition;
  private final Map<String, String> environment;
  private final Worker worker;
  private final Path folder;
  private final CompletableFuture<GenericResult> finished = new CompletableFuture<>();
  private final Map<String, CompletableFuture<Execution>> executions = new ConcurrentHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  private volatile long lastActivity = System.nanoTime();
  private volatile Optional<Namespace> namespace = Optional.empty();
  private volatile Optional<Execution> main = Optional.empty();
  private volatile boolean ending;

  Container(String id, Sandbox definition, Map<String, String> environment, Worker worker) {
    this.definition = definition;
    this.environment = Map.copyOf(environment);
    this.worker = worker;
    this.folder = worker.folder(id);
  }

  /** Completes when nothing of it runs any more. */
  CompletableFuture<GenericResult> finished() {
    return finished;
  }

  /** How many commands run, the main one aside. */
  int runningCommands() {
    return running.get();
  }

  /** When a command was last seen running or given input, as {@link System#nanoTime} has it. */
  long lastActivity() {
    return running.get() > 0 ? System.nanoTime() : lastActivity;
  }

  void touch() {
    lastActivity = System.nanoTime();
  }

  /** The main command, while the container is there. */
  Execution main() {
    namespace();
    return main.orElseThrow(() -> Refusal.precondition("there is no main command"));
  }

  /** The main command, also once it has ended; its output is kept for a little while. */
  Optional<Execution> lastMain() {
    return main;
  }

  Worker worker() {
    return worker;
  }

  /** Where the root directory is kept; what is mounted in it is elsewhere. */
  Path files() {
    return folder.resolve("root");
  }

  Namespace namespace() {
    return running().orElseThrow(() -> Refusal.notFound("Container"));
  }

  /** Empty before it has started and once it is ending. */
  Optional<Namespace> running() {
    return ending ? Optional.empty() : namespace;
  }

  /** Starts the container and the main command. */
  void start() throws IOException, InterruptedException {
    worker.images().copy(definition.getImageId(), files());
    Files.createDirectories(Rooted.find(files(), directory(), true));
    synchronized (this) {
      if (ending) {
        return;
      }
      namespace = Optional.of(Namespace.openWithOwnRoot(folder));
    }
    if (definition.getEntrypointArgsCount() > 0) {
      var argv = definition.getEntrypointArgsList();
      var command = Command.start(namespace().command(directory(), variables(Map.of()), argv));
      var execution = Execution.of(command, worker.recent(), worker.recent(), this::settle);
      main = Optional.of(execution);
      var _ = execution.exit().thenAccept(exit -> end(Results.exited(exit)));
    }
  }

  private String directory() {
    return definition.hasWorkdir() ? definition.getWorkdir() : "/";
  }

  private Map<String, String> variables(Map<String, String> more) {
    var variables = new LinkedHashMap<String, String>();
    variables.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    variables.put("HOME", "/root");
    variables.putAll(environment);
    variables.putAll(more);
    return variables;
  }

  /** Starts a command, unless one of that id has been: then there is nothing to do. */
  void exec(String id, ExecRequest request) throws IOException {
    namespace();
    var mine = new CompletableFuture<Execution>();
    var other = executions.putIfAbsent(id, mine);
    if (other != null) {
      other.join();
      return;
    }
    running.incrementAndGet();
    try {
      mine.complete(launch(request));
    } catch (IOException | RuntimeException e) {
      running.decrementAndGet();
      executions.remove(id);
      mine.completeExceptionally(e);
      throw e;
    }
    if (ending) {
      // It may have started, or failed to, for that reason.
      mine.join().lose();
      throw Refusal.notFound("Container");
    }
    request.timeout().ifPresent(time -> worker.timers().after(time, () -> mine.join().kill()));
  }

  private Execution launch(ExecRequest request) throws IOException {
    var stdout = worker.spool(request.keepStdout());
    var stderr = worker.spool(request.keepStderr());
    if (request.argv().getFirst().equals(FileTools.PROGRAM)) {
      var arguments = request.argv().subList(1, request.argv().size());
      return FileTools.start(namespace().root(), arguments, stdout, stderr, this::commandEnded);
    }
    var directory = request.directory().orElse(directory());
    var variables = variables(request.environment());
    var prepared = namespace().command(directory, variables, request.argv());
    return Execution.of(Command.start(prepared), stdout, stderr, this::commandEnded);
  }

  private void commandEnded() {
    touch();
    running.decrementAndGet();
    settle();
  }

  /** Nobody is told of a command's end before it is known that the container's was the reason. */
  private void settle() {
    if (ending) {
      finished.join();
    }
  }

  Execution execution(String id) {
    namespace();
    var execution = executions.get(id);
    if (execution == null) {
      throw Refusal.notFound("Exec " + id);
    }
    return execution.join();
  }

  /** Ends everything that runs; returns when it has, and whether it was this call that did it. */
  boolean end(GenericResult result) {
    synchronized (this) {
      if (ending) {
        return false;
      }
      ending = true;
    }
    namespace.ifPresent(Namespace::close);
    finished.complete(result);
    var all = new ArrayList<>(main.stream().toList());
    for (var execution : List.copyOf(executions.values())) {
      if (execution.isDone() && !execution.isCompletedExceptionally()) {
        all.add(execution.join());
      }
    }
    executions.clear();
    all.forEach(Execution::lose);
    worker.clear(folder, all);
    return true;
  }
}
