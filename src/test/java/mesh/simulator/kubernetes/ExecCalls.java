package mesh.simulator.kubernetes;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.http.Exchange;
import mesh.simulator.http.Response;
import mesh.simulator.http.WebSocket;
import mesh.simulator.namespace.Command;
import tools.jackson.databind.node.ObjectNode;

/** Commands in running containers. */
final class ExecCalls {

  private static final String V5 = "v5.channel.k8s.io";

  private final Store store;
  private final Kubelet kubelet;
  private final Policies policies;
  private final Settings settings;

  ExecCalls(Store store, Kubelet kubelet, Policies policies, Settings settings) {
    this.store = store;
    this.kubelet = kubelet;
    this.policies = policies;
    this.settings = settings;
  }

  void exec(Exchange exchange, Target target, Optional<Fault> fault)
      throws IOException, InterruptedException {
    var request = exchange.request();
    if (fault.orElse(null) instanceof Fault.ContainerNotFound) {
      throw notFound(request.query().first("container").orElse("main"));
    }
    var argv = request.query().all("command");
    var pod = store.get(target.key());
    var container = container(pod, request.query().first("container").orElse(""));
    check(argv, exchange);
    var running = running(target.key(), pod, container);
    if (!request.wantsWebSocket()) {
      throw Refusal.badRequest("Upgrade request required");
    }
    var offered = request.headers().elements("Sec-WebSocket-Protocol");
    var protocol = settings.execProtocols().stream().filter(offered::contains).findFirst();
    if (protocol.isEmpty()) {
      exchange.respond(Response.empty(403));
      return;
    }
    talk(exchange, running, policies.letReach(pod), protocol.get(), argv, fault);
  }

  private static void check(List<String> argv, Exchange exchange) {
    var query = exchange.request().query();
    if (argv.isEmpty()) {
      throw Refusal.badRequest("you must specify at least 1 command for the container");
    }
    if (query.flag("tty")) {
      throw Refusal.badRequest("terminals are not simulated");
    }
    if (!query.flag("stdin") && !query.flag("stdout") && !query.flag("stderr")) {
      throw Refusal.badRequest("you must specify at least one of stdin, stdout, stderr");
    }
  }

  private static String container(ObjectNode pod, String wanted) {
    var name = Json.text(pod, "metadata.name");
    var names =
        pod.path("spec")
            .path("containers")
            .valueStream()
            .map(it -> it.path("name").asString(""))
            .toList();
    if (wanted.isEmpty() && names.size() > 1) {
      throw Refusal.badRequest(
          "a container name must be specified for pod %s, choose one of: [%s]"
              .formatted(name, String.join(" ", names)));
    }
    if (!wanted.isEmpty() && !names.contains(wanted)) {
      throw Refusal.badRequest("container " + wanted + " is not valid for pod " + name);
    }
    return wanted.isEmpty() ? names.getFirst() : wanted;
  }

  private RunningContainer running(Key key, ObjectNode pod, String container) {
    if (Json.text(pod, "spec.nodeName").isEmpty()) {
      throw Refusal.badRequest("pod " + key.name() + " does not have a host assigned");
    }
    var onNode = kubelet.find(Json.text(pod, "metadata.uid"));
    if (onNode.filter(Pod::isLost).isPresent()) {
      throw Refusal.internal("error dialing backend: dial tcp 127.0.0.1:10250: i/o timeout");
    }
    return onNode.flatMap(it -> it.container(container)).orElseThrow(() -> notFound(container));
  }

  private static Refusal notFound(String container) {
    return Refusal.of(
        500,
        "InternalError",
        "unable to upgrade connection: container not found (\"" + container + "\")");
  }

  private void talk(
      Exchange exchange,
      RunningContainer container,
      boolean network,
      String protocol,
      List<String> argv,
      Optional<Fault> fault)
      throws IOException, InterruptedException {
    var query = exchange.request().query();
    var socket = exchange.upgrade(Map.of("Sec-WebSocket-Protocol", protocol));
    var channels = new Channels(socket, fault);
    for (var channel : List.of(Channels.STDOUT, Channels.STDERR, Channels.STATUS)) {
      if (channel == Channels.STATUS
          || query.flag(channel == Channels.STDOUT ? "stdout" : "stderr")) {
        channels.output(channel, new byte[0], 0);
      }
    }
    var obstacle =
        Launch.obstacle(container.inside(), container.directory(), container.environment(), argv);
    if (obstacle.isPresent()) {
      channels.end(ExecStatus.notStarted(obstacle.get()));
      socket.receive();
      return;
    }
    var prepared =
        container.inside().command(container.directory(), container.environment(), argv, network);
    if (!query.flag("stdin")) {
      prepared.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    }
    var command = Command.start(prepared);
    var exec = new Exec(argv, command, channels);
    exec.begin(query.flag("stdout"), query.flag("stderr"));
    if (fault.orElse(null) instanceof Fault.HalfOpen) {
      exchange.ignore();
      return;
    }
    if (fault.orElse(null) instanceof Fault.IdleCut(var idle)) {
      Thread.startVirtualThread(() -> cutWhenIdle(idle, socket, channels));
    }
    exec.listen(socket, query.flag("stdin"), protocol.equals(V5));
  }

  private static void cutWhenIdle(Duration idle, WebSocket socket, Channels channels) {
    try {
      while (!socket.isClosed()) {
        var quiet = System.nanoTime() - Math.max(socket.lastHeard(), channels.lastSent());
        if (quiet >= idle.toNanos()) {
          channels.drop();
          return;
        }
        Pause.of(Duration.ofNanos(idle.toNanos() - quiet));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
