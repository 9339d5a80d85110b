package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.http.SelfSigned;
import mesh.simulator.http.WireServer;
import mesh.simulator.namespace.Namespace;

/**
 * The API of a Kubernetes cluster on this machine, with one node: real processes, and a file system
 * of its own for each container.
 *
 * <pre>{@code
 * try (var cluster = KubernetesSimulator.start(0)) {
 *   cluster.faults().next(CallKind.CREATE_POD, new Fault.LostResponse());
 *   // … let an adapter talk to cluster.url() …
 *   assertThat(cluster.pods()).hasSize(1);
 * }
 * }</pre>
 *
 * <p>Every image is this machine, whose files are there to read; one whose name begins with {@code
 * nope} cannot be pulled. Writable are the volumes, {@code /tmp}, the home directory and a working
 * directory the machine lacks. The processor is not limited, nor is storage; memory is, by
 * counting.
 *
 * <p>Network policies: a process reaches all that this machine reaches, or nothing but its own
 * loopback device, as is decided when it starts. It reaches nothing if policies for egress select
 * its pod and none of their rules allows anything that is there (name servers aside). The first
 * process of a container that names ports is spared, so that others can reach it. Every pod's
 * address is 127.0.0.1.
 *
 * <p>Not simulated: terminals, SPDY, port forwarding, attaching, init containers, restarts,
 * protobuf, and what controllers other than those of pods, claims, snapshots, owners and namespaces
 * do. Starting a pod fails where the user may not make namespaces.
 */
public final class KubernetesSimulator implements AutoCloseable {

  private final Path base;
  private final Settings settings = new Settings();
  private final Faults faults = new Faults();
  private final Store store = new Store(settings::clock);
  private final Kubelet kubelet;
  private final Deletions deletions;
  private final Controllers controllers;
  private final Api api;
  private final Optional<SelfSigned> identity;
  private final WireServer server;

  private KubernetesSimulator(int port, Optional<SelfSigned> identity) throws IOException {
    this.identity = identity;
    this.base = Files.createTempDirectory("mesh-kubernetes-");
    var claims = new Claims(base.resolve("volumes"));
    var policies = new Policies(store, settings);
    this.deletions = new Deletions(store, claims, this::onNode);
    this.kubelet = new Kubelet(store, settings, claims, policies, base, deletions::finished);
    var storage = new Storage(store, settings, claims);
    this.controllers = new Controllers(store, kubelet, storage, deletions);
    var writes = new Writes(store, controllers, deletions);
    var objects = new Objects(store, settings, kubelet, deletions, writes);
    this.api =
        new Api(settings, faults, objects, new ExecCalls(store, kubelet, policies, settings));
    storage.install();
    kubelet.register();
    for (var name : List.of("default", "kube-system")) {
      writes.create(
          new Target(ResourceType.NAMESPACE, "", "", ""),
          Json.object(Map.of("metadata", Map.of("name", name))),
          false);
    }
    this.server =
        identity.isPresent()
            ? WireServer.start(port, api::handle, identity.get())
            : WireServer.start(port, api::handle);
    settings.port(server.port());
  }

  /**
   * Serves 127.0.0.1.
   *
   * @param port 0 for any free one
   */
  public static KubernetesSimulator start(int port) throws IOException {
    return new KubernetesSimulator(port, Optional.empty());
  }

  /**
   * Serves 127.0.0.1 with TLS, without which kubectl tells nobody its token.
   *
   * @param port 0 for any free one
   */
  public static KubernetesSimulator startWithTls(int port) throws IOException {
    return new KubernetesSimulator(port, Optional.of(SelfSigned.create()));
  }

  /** Without a slash at its end. */
  public String url() {
    return (identity.isPresent() ? "https" : "http") + "://127.0.0.1:" + server.port();
  }

  /** The one bearer token it accepts. */
  public String token() {
    return settings.token();
  }

  /** Answers 401 to any other token from now on. */
  public void token(String token) {
    settings.token(token);
  }

  /** What kubectl and other clients are configured with. */
  public String kubeconfig() {
    var trusted =
        identity
            .map(it -> Base64.getEncoder().encodeToString(it.pem().getBytes(US_ASCII)))
            .map(it -> "\n    certificate-authority-data: " + it)
            .orElse("");
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: simulated
      cluster:
        server: %s%s
    users:
    - name: simulated
      user:
        token: %s
    contexts:
    - name: simulated
      context:
        cluster: simulated
        user: simulated
        namespace: default
    current-context: simulated
    """
        .formatted(url(), trusted, token());
  }

  public Faults faults() {
    return faults;
  }

  /** The cluster's clock, by which objects are created and calls are recorded. */
  public void clock(InstantSource clock) {
    settings.clock(clock);
  }

  /** How long pods take from their node to their first process; nothing unless set. */
  public void startUp(Duration time) {
    settings.startUp(time);
  }

  /** Which sub-protocols of commands it accepts, best first; versions 5 and 4 unless set. */
  public void execProtocols(String... names) {
    settings.execProtocols(List.of(names));
  }

  public void outOfMemory(OutOfMemory what) {
    settings.outOfMemory(what);
  }

  /** Whether network policies have an effect; they have unless set. */
  public void policyEnforced(boolean enforced) {
    settings.policyEnforced(enforced);
  }

  /** Whether there is anybody who takes snapshots; there is unless set. */
  public void snapshotsReady(boolean ready) {
    settings.snapshotsReady(ready);
  }

  /** Whether the API knows of snapshots at all; it does unless set. */
  public void snapshotsServed(boolean served) {
    settings.snapshotsServed(served);
  }

  /** Whether a watch may ask for what is there first; else 422, as older servers answer. */
  public void watchLists(boolean supported) {
    settings.watchLists(supported);
  }

  /** What the one node has, for example {@code "4"} and {@code "16Gi"}. */
  public void node(String cpu, String memory) {
    settings.node(Map.of("cpu", cpu, "memory", memory));
    kubelet.register();
  }

  /** Answers such calls with 403, and access reviews with no. */
  public void refuse(CallKind kind) {
    settings.refuse(kind);
  }

  public void permit(CallKind kind) {
    settings.permit(kind);
  }

  /** The node is short of something and ends the pod. */
  public void evict(String namespace, String pod, String message) {
    tell(namespace, pod, new Happening.Evicted(message));
  }

  /** Nobody hears of the pod's node any more; only a deletion without grace removes the pod. */
  public void loseNode(String namespace, String pod) {
    tell(namespace, pod, new Happening.NodeLost());
  }

  /** Somebody else deletes the pod. */
  public void delete(String namespace, String pod) {
    deletions.delete(new Key(ResourceType.POD, namespace, pod), DeleteOptions.NONE);
  }

  /** Nothing of the past can be watched any more: whoever asks for it is answered 410. */
  public void forgetChanges() {
    store.forgetChanges();
  }

  private void tell(String namespace, String name, Happening happening) {
    var pod = store.get(new Key(ResourceType.POD, namespace, name));
    kubelet.find(Json.text(pod, "metadata.uid")).ifPresent(it -> it.tell(happening));
  }

  private Optional<Pod> onNode(String uid) {
    return kubelet.find(uid);
  }

  /** The pods there are, as {@code namespace/name}. */
  public List<String> pods() {
    return store.list(ResourceType.POD, "").objects().stream()
        .map(it -> Json.text(it, "metadata.namespace") + "/" + Json.text(it, "metadata.name"))
        .toList();
  }

  /** How many pods have processes or files on the node. */
  public int livePods() {
    return kubelet.all().size();
  }

  /** Where it keeps its files. */
  Path folder() {
    return base;
  }

  /** Every request so far, in order. */
  public List<RecordedCall> calls() {
    return List.copyOf(api.calls());
  }

  /** Those of one kind. */
  public List<RecordedCall> calls(CallKind kind) {
    return api.calls().stream().filter(call -> call.kind().equals(kind)).toList();
  }

  public void forgetCalls() {
    api.calls().clear();
  }

  /** Ends every process and removes every file. */
  @Override
  public void close() {
    server.close();
    controllers.close();
    kubelet.close();
    try {
      Namespace.asRoot(List.of("rm", "-rf", "--", base.toString()));
    } catch (IOException e) {
      System.err.println("Not every file of the simulator could be removed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
