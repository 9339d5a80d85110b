package mesh.simulator.modal;

import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.okhttp.OkHttpServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import modal.client.NetworkAccess;

/**
 * Modal on this machine: the control plane and the workers' command router at one plaintext port,
 * real processes, and a root directory of its own for each sandbox.
 *
 * <pre>{@code
 * try (var vendor = ModalSimulator.start(0)) {
 *   vendor.faults().next(
 *       ModalClientGrpc.getSandboxCreateV2Method(), new Fault.LostAnswer(Status.UNAVAILABLE));
 *   // … let an adapter talk to vendor.url() …
 *   assertThat(vendor.liveSandboxes()).hasSize(1);
 * }
 * }</pre>
 *
 * <p>Sandboxes run this machine's programs, whatever image was asked for; everything else in their
 * root directory is theirs to write. Not simulated: terminals, volumes, tunnels, memory snapshots,
 * readiness probes, building images, watching files, and the network policy's effect (it is
 * validated and kept). Creating a sandbox fails where the user may not make namespaces.
 */
public final class ModalSimulator implements AutoCloseable {

  private static final int LARGEST_MESSAGE = 100 << 20;
  private static final int WINDOW = 64 << 20;
  private static final String TOKEN_ID = "ak-test";
  private static final String TOKEN_SECRET = "as-test";

  private final Settings settings = new Settings();
  private final Faults faults = new Faults();
  private final Timers timers = new Timers();
  private final CallLog log = new CallLog(settings);
  private final Wire wire = new Wire();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Worker worker;
  private final Sandboxes sandboxes;
  private final MemoryWatch memory;
  private final Server server;

  private ModalSimulator(int port) throws IOException {
    this.worker = new Worker(Files.createTempDirectory("mesh-modal-"), timers);
    this.sandboxes = new Sandboxes(worker, settings);
    this.memory = new MemoryWatch(sandboxes::running);
    var tokens = new Tokens();
    var apps = new Apps();
    var secrets = new Secrets();
    var snapshots = new Snapshots(worker.images());
    var access = new RouterAccess(() -> "https://127.0.0.1:" + port(), tokens, settings);
    var account = new AccountCalls(apps, worker.images(), secrets, tokens, settings);
    this.server =
        OkHttpServerBuilder.forPort(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                InsecureServerCredentials.create())
            .socketFactory(wire)
            .executor(threads)
            .maxInboundMessageSize(LARGEST_MESSAGE)
            // What arrives for a call that has ended is never given back to the connection.
            .flowControlWindow(WINDOW)
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(
                new ControlPlane(
                    account,
                    new SandboxCalls(sandboxes, apps, secrets, access, settings),
                    new WorkerCalls(sandboxes, access, snapshots)))
            .addService(new CommandRouter(sandboxes, secrets, new SnapshotCalls(snapshots)))
            // The last one comes first.
            .intercept(new Admission(tokens, settings, TOKEN_ID, TOKEN_SECRET))
            .intercept(new Breakage(faults, timers))
            .intercept(log)
            .build()
            .start();
  }

  /**
   * Serves 127.0.0.1.
   *
   * @param port 0 for any free one
   */
  public static ModalSimulator start(int port) throws IOException {
    return new ModalSimulator(port);
  }

  private int port() {
    return server.getPort();
  }

  /** What a client takes in place of the vendor's own; the command router is at the same port. */
  public String url() {
    return "http://127.0.0.1:" + port();
  }

  /** The only id it accepts. */
  public String tokenId() {
    return TOKEN_ID;
  }

  /** The secret that goes with it. */
  public String tokenSecret() {
    return TOKEN_SECRET;
  }

  /** The vendor's clock, by which sandboxes are created, tokens end, and calls are recorded. */
  public void clock(InstantSource clock) {
    settings.clock(clock);
  }

  /**
   * How long the control plane's tokens are good that are issued from now on; 20 min unless set.
   */
  public void authTokenLifetime(Duration lifetime) {
    settings.authTokenLifetime(lifetime);
  }

  /** How long the router's tokens are good that are issued from now on; 24 h unless set. */
  public void routerTokenLifetime(Duration lifetime) {
    settings.routerTokenLifetime(lifetime);
  }

  /** How many sandboxes one answer lists at most; 100 unless set. */
  public void pageSize(int most) {
    settings.pageSize(most);
  }

  /** Lists are from now on as they were so long ago: neither what is new nor what ended is seen. */
  public void listLag(Duration lag) {
    settings.listLag(lag);
  }

  /** From now on an image from this registry tag cannot be built, and the vendor says this. */
  public void unavailableImage(String tag, String message) {
    worker.images().unavailable(tag, message);
  }

  /** No connection hears or says anything, not even pings, until this is called with false. */
  public void silent(boolean silent) {
    wire.silent(silent);
  }

  /** Breaks every connection there is; new ones can be made. */
  public void dropConnections() throws IOException {
    wire.drop();
  }

  /** The sandbox's worker is taken away, and the sandbox with it. */
  public void preempt(String sandboxId) {
    sandboxes.find(sandboxId).container().end(Results.preempted());
  }

  public Faults faults() {
    return faults;
  }

  /** Every call so far, in order; of very many, the latest. */
  public List<RecordedCall> calls() {
    return log.calls();
  }

  /** Those of one method. */
  public List<RecordedCall> calls(MethodDescriptor<?, ?> method) {
    return log.calls(method);
  }

  public void forgetCalls() {
    log.forget();
  }

  /** Every creation so far, in order, also of sandboxes that are finished. */
  public List<Created> created() {
    return sandboxes.created();
  }

  /** The ids of those that are not finished. */
  public List<String> liveSandboxes() {
    return sandboxes.running().stream().map(ModalSandbox::id).toList();
  }

  /** A sandbox's policy as it was last set. */
  public NetworkAccess networkAccess(String sandboxId) {
    return sandboxes.find(sandboxId).access();
  }

  /** How many commands run in all sandboxes, their main ones aside. */
  public int runningCommands() {
    return sandboxes.running().stream().mapToInt(it -> it.container().runningCommands()).sum();
  }

  /** Where its sandboxes keep their files. */
  Path folder() {
    return worker.base();
  }

  /** Ends every process and removes every file. */
  @Override
  public void close() {
    wire.silent(false);
    server.shutdownNow();
    timers.close();
    memory.close();
    sandboxes.running().forEach(it -> it.container().end(Results.terminated()));
    threads.shutdownNow();
    try {
      server.awaitTermination(5, TimeUnit.SECONDS);
      worker.close();
    } catch (IOException e) {
      System.err.println("Not every file of the simulator could be removed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
