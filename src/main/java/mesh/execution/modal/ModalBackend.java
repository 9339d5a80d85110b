package mesh.execution.modal;

import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.EgressControl;
import mesh.execution.EgressGrade;
import mesh.execution.EgressPolicy;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.LifetimeLimited;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.Shell;
import mesh.execution.Sized;
import mesh.execution.SnapshotRef;
import mesh.execution.Snapshotter;
import mesh.execution.remote.Commands;
import mesh.execution.remote.Dialect;
import mesh.execution.remote.Patience;
import mesh.execution.remote.RemoteSandbox;
import modal.client.GenericResult.GenericStatus;
import modal.client.NetworkAccess;
import modal.client.NetworkAccess.NetworkAccessType;

/**
 * Sandboxes of one app. A sandbox's key is its name, by which a second one is refused while it
 * runs; the vendor's id is the external ref.
 */
@EgressGrade(
    value = EgressControl.Grade.SNI,
    mostDomains = ModalBackend.MOST_DOMAINS,
    staysOpen =
        "Every name can still be looked up in the DNS, which is a way out for small amounts of data;"
            + " a connection is let through by the name that its client says, so whoever shares a"
            + " server with an allowed name can be reached under that name; only TLS on port 443"
            + " gets out at all.")
final class ModalBackend
    implements Backend, Shell, EgressControl, Snapshotter, Sized, LifetimeLimited {

  static final int MOST_DOMAINS = 100;

  /** Commands run as root in the vendor's images. */
  private static final SandboxPath HOME = new SandboxPath("/root");

  private static final SandboxPath PROJECT = new SandboxPath("/workspace");

  private final ControlPlane plane;
  private final Ingredients ingredients;
  private final ModalApi api;
  private final Routers routers;
  private final Snapshots snapshots;
  private final Commands commands;

  private ModalBackend(
      ControlPlane plane,
      Ingredients ingredients,
      ModalApi api,
      Routers routers,
      Snapshots snapshots,
      Commands commands) {
    this.plane = plane;
    this.ingredients = ingredients;
    this.api = api;
    this.routers = routers;
    this.snapshots = snapshots;
    this.commands = commands;
  }

  static ModalBackend open(Account account, Plan plan, Ambience ambience) {
    var patience = new Patience(ambience.pause(), ambience.random());
    var plane = new ControlPlane(account, ambience, patience);
    var ingredients = new Ingredients(plane, plan);
    var api = new ModalApi(plane, ingredients);
    var routers = new Routers(api, plane.refusals(), account.isOfThisMachine());
    var connector = new Connector(routers, api, ambience, patience);
    var dialect = new Dialect("Modal", "sandbox", Optional.empty(), true);
    return new ModalBackend(
        plane,
        ingredients,
        api,
        routers,
        new Snapshots(routers, plane, plan.snapshotSeconds()),
        new Commands(connector, dialect, ambience.random()));
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    return acquire(
        spec, NetworkAccess.newBuilder().setNetworkAccessType(NetworkAccessType.OPEN).build());
  }

  /** No addresses: only names are allowed, and an empty list of them allows nothing. */
  @Override
  public Sandbox acquire(SandboxSpec spec, EgressPolicy policy) throws InterruptedException {
    if (policy.domains().size() > MOST_DOMAINS) {
      throw new BackendException.Rejected(
          "Modal takes at most %d allowed domains, not %d"
              .formatted(MOST_DOMAINS, policy.domains().size()),
          null);
    }
    return acquire(
        spec,
        NetworkAccess.newBuilder()
            .setNetworkAccessType(NetworkAccessType.ALLOWLIST)
            .addAllAllowedDomains(new TreeSet<>(policy.domains()))
            .build());
  }

  private Sandbox acquire(SandboxSpec spec, NetworkAccess access) throws InterruptedException {
    var made = api.create(spec, access);
    made.access().ifPresent(way -> routers.learn(made.id(), way));
    var sandbox = sandbox(made.id());
    try {
      sandbox.makeReady();
    } catch (BackendException.SandboxGone gone) {
      throw endedAtOnce(made.id());
    }
    return sandbox;
  }

  private BackendException endedAtOnce(String id) throws InterruptedException {
    var result = api.result(id, Duration.ZERO);
    var words =
        result.map(it -> plane.refusals().cleaned(it.getException())).orElse("it does not say why");
    return result
            .filter(it -> it.getStatus() == GenericStatus.GENERIC_STATUS_INIT_FAILURE)
            .isPresent()
        ? new BackendException.Rejected("Modal could not start the sandbox: " + words, null)
        : new BackendException.Unavailable(
            "Modal ended the sandbox before it was of use: " + words, Duration.ZERO, null);
  }

  private RemoteSandbox sandbox(String id) {
    return new RemoteSandbox(ExternalRef.of(id), id, HOME, PROJECT, commands);
  }

  @Override
  public Sandbox attach(ExternalRef ref) throws InterruptedException {
    var id = ref.reveal();
    api.task(id);
    return sandbox(id);
  }

  @Override
  public Release release(ExternalRef ref) throws InterruptedException {
    api.terminate(ref.reveal());
    routers.forget(ref.reveal());
    return Release.DESTROYED;
  }

  @Override
  public Inventory list(InstallationId installation) throws InterruptedException {
    return Count.of(plane, ingredients, installation);
  }

  @Override
  public SnapshotRef capture(ExternalRef sandbox, SandboxPath directory, UUID id)
      throws InterruptedException {
    return SnapshotRef.of(snapshots.capture(sandbox.reveal(), directory, id));
  }

  @Override
  public Sandbox restore(ExternalRef sandbox, SnapshotRef snapshot, SandboxPath directory)
      throws InterruptedException {
    snapshots.mount(sandbox.reveal(), snapshot.reveal(), directory);
    return sandbox(sandbox.reveal());
  }

  @Override
  public void delete(SnapshotRef snapshot) throws InterruptedException {
    snapshots.delete(snapshot.reveal());
  }

  @Override
  public void close() {
    routers.close();
    plane.close();
  }
}
