package mesh.simulator.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** The one node: runs pods. */
final class Kubelet implements AutoCloseable {

  static final String NODE = "simulated-node";

  private final Store store;
  private final Settings settings;
  private final Claims claims;
  private final Policies policies;
  private final Scheduler scheduler;
  private final Events events;
  private final MemoryWatch memory;
  private final Path folder;
  private final Consumer<Pod> finished;
  private final Map<String, Pod> pods = new ConcurrentHashMap<>();
  private final ExecutorService lives = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param folder where it keeps all files, which no pod sees
   * @param finished is told of pods whose processes are gone and whose objects may go
   */
  Kubelet(
      Store store,
      Settings settings,
      Claims claims,
      Policies policies,
      Path folder,
      Consumer<Pod> finished) {
    this.store = store;
    this.settings = settings;
    this.claims = claims;
    this.policies = policies;
    this.scheduler = new Scheduler(store, settings);
    this.events = new Events(store);
    this.memory = new MemoryWatch(settings);
    this.folder = folder;
    this.finished = finished;
  }

  /** Makes the node known, with what it has now. */
  void register() {
    var capacity = new LinkedHashMap<>(settings.node());
    capacity.put("pods", "110");
    var ready = Map.of("type", "Ready", "status", "True", "reason", "KubeletReady");
    var address = Map.of("type", "InternalIP", "address", "127.0.0.1");
    var status = new LinkedHashMap<String, Object>();
    status.put("capacity", capacity);
    status.put("allocatable", capacity);
    status.put("conditions", List.of(ready));
    status.put("addresses", List.of(address));
    status.put(
        "nodeInfo",
        Map.of("kubeletVersion", "v1.35.0", "containerRuntimeVersion", "containerd://2.0.0"));
    var key = new Key(ResourceType.NODE, "", NODE);
    if (store.find(key).isEmpty()) {
      var node =
          Json.object(Map.of("kind", "Node", "apiVersion", "v1", "metadata", Map.of("name", NODE)));
      Store.identify(node, store.now());
      store.create(key, node);
    }
    store.update(key, it -> it.set("status", Json.object(status)));
  }

  void run(Key key, ObjectNode object) {
    var uid = Json.text(object, "metadata.uid");
    var pod = new Pod(key, object, this, folder.resolve("pods").resolve(uid));
    pods.put(uid, pod);
    lives.execute(() -> {
      try {
        Files.createDirectories(pod.folder());
        pod.live();
      } catch (IOException | RuntimeException e) {
        System.err.println("A simulated pod came to an end: " + e);
        e.printStackTrace();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  Optional<Pod> find(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  Collection<Pod> all() {
    return List.copyOf(pods.values());
  }

  void forget(Pod pod) {
    pods.remove(pod.uid(), pod);
  }

  void remove(Pod pod) {
    finished.accept(pod);
  }

  Store store() {
    return store;
  }

  Events events() {
    return events;
  }

  InstantSource clock() {
    return settings.clock();
  }

  Duration startUp() {
    return settings.startUp();
  }

  boolean saysZero() {
    return settings.outOfMemory() == OutOfMemory.KILLS_CONTAINER_AND_SAYS_ZERO;
  }

  Optional<String> obstacle(ObjectNode pod) {
    return scheduler.obstacle(pod);
  }

  List<ContainerPlan> plans(ObjectNode pod, Path own) throws IOException, Blocked {
    var volumes = PodVolumes.prepare(store, claims, own.resolve("volumes"), pod);
    var plans = new ContainerPlans(store, settings, own.resolve("containers"), pod, volumes);
    var all = new ArrayList<ContainerPlan>();
    for (var container : pod.path("spec").path("containers")) {
      all.add(plans.of(container));
    }
    return all;
  }

  RunningContainer start(ObjectNode pod, ContainerPlan plan) throws IOException {
    var spec =
        pod.path("spec")
            .path("containers")
            .valueStream()
            .filter(it -> it.path("name").asString("").equals(plan.name()))
            .findFirst()
            .orElseThrow();
    // Who offers something is to be reached also when it reaches nothing itself.
    var network = spec.has("ports") || policies.letReach(pod);
    var container = RunningContainer.start(plan, folder, network, settings.clock());
    var limit = spec.path("resources").path("limits").path("memory").asString("");
    if (!limit.isEmpty() && container.isRunning()) {
      memory.watch(container, Quantity.parse(limit).bytes());
    }
    return container;
  }

  /** Ends every process. */
  @Override
  public void close() {
    all().forEach(pod -> pod.tell(new Happening.Vanished()));
    lives.shutdown();
    try {
      if (!lives.awaitTermination(10, TimeUnit.SECONDS)) {
        lives.shutdownNow();
      }
    } catch (InterruptedException e) {
      lives.shutdownNow();
      Thread.currentThread().interrupt();
    } finally {
      // Not before the last pod that was about to start.
      memory.close();
    }
  }
}
