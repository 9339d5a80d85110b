package mesh.simulator.sprites;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import mesh.simulator.http.Response;
import tools.jackson.databind.JsonNode;

/**
 * A sprite's services: programs that are started again whenever they end, until they are deleted.
 * Their output goes nowhere.
 */
final class Services {

  private static final Duration BETWEEN = Duration.ofMillis(100);

  private final Sprite sprite;
  private final Map<String, Service> all = new ConcurrentHashMap<>();

  Services(Sprite sprite) {
    this.sprite = sprite;
  }

  Response list() {
    var rows = new ArrayList<Map<String, Object>>();
    all.forEach((name, service) -> {
      var row = new LinkedHashMap<String, Object>();
      row.put("name", name);
      row.put("cmd", service.argv.getFirst());
      row.put("args", service.argv.subList(1, service.argv.size()));
      row.put("needs", List.of());
      row.put("state", Map.of("name", name, "status", "running"));
      rows.add(row);
    });
    return Json.answer(200, rows);
  }

  Response put(String name, byte[] body) {
    var argv = new ArrayList<String>();
    Json.object(body)
        .ifPresent(json -> {
          argv.add(json.path("cmd").asString(""));
          json.path("args").valueStream().map(JsonNode::asString).forEach(argv::add);
        });
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      return Json.error(400, "cmd is required");
    }
    var service = new Service(List.copyOf(argv));
    var before = all.put(name, service);
    if (before != null) {
      before.end();
    }
    Thread.ofPlatform().daemon().start(service);
    return Response.streamed(
        "application/x-ndjson",
        out -> {
          out.write(Json.line(Map.of("type", "started")));
          out.write(Json.line(Map.of("type", "complete")));
        });
  }

  Response delete(String name) {
    var service = all.remove(name);
    if (service == null) {
      return Response.text(404, "service not found: " + name + "\n");
    }
    service.end();
    return Response.empty(204);
  }

  void endAll() {
    List.copyOf(all.keySet()).forEach(this::delete);
  }

  private final class Service implements Runnable {
    private final List<String> argv;
    private boolean ended;
    private Optional<Process> process = Optional.empty();

    Service(List<String> argv) {
      this.argv = argv;
    }

    @Override
    public void run() {
      try {
        for (var next = start(); next.isPresent(); next = start()) {
          next.get().waitFor();
          Pause.of(BETWEEN);
        }
      } catch (IOException e) {
        System.err.println("A service could not be started: " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private synchronized Optional<Process> start() throws IOException {
      process =
          ended
              ? Optional.empty()
              : Optional.of(
                  sprite
                      .machine()
                      .command(Sprite.HOME, ExecRequest.defaultEnvironment(), argv)
                      .redirectErrorStream(true)
                      .redirectOutput(Redirect.DISCARD)
                      .start());
      return process;
    }

    synchronized void end() {
      ended = true;
      process.ifPresent(it -> {
        it.descendants().forEach(ProcessHandle::destroyForcibly);
        it.destroyForcibly();
      });
    }
  }
}
