package mesh.workspace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import mesh.database.Installation;
import mesh.execution.BackendException;
import mesh.execution.InstallationId;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import mesh.tool.ToolRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Sees to sandboxes that somebody began to make or to wake and did not come to the end, because the
 * instance died or the vendor's answer was lost. One that is there is adopted: nothing was
 * delivered into it, or it was the run's before. One that does not show up for so long that it
 * would have is given up, and its name with it: should it come after all, the inventory comparison
 * ends it.
 */
@Component
class AbandonedWorkspaces implements Sweep {

  private static final Logger log = LoggerFactory.getLogger(AbandonedWorkspaces.class);

  /** With the lease of 20 s, what a dead instance began is in good hands within 30 s. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private static final int MOST = 50;

  private final AbandonedRepository rows;
  private final WorkspaceRepository workspaces;
  private final WorkspaceClaims claims;
  private final Provisioner provisioner;
  private final Backends backends;
  private final InstallationId installation;

  AbandonedWorkspaces(
      AbandonedRepository rows,
      WorkspaceRepository workspaces,
      WorkspaceClaims claims,
      Provisioner provisioner,
      Backends backends,
      Installation installation) {
    this.rows = rows;
    this.workspaces = workspaces;
    this.claims = claims;
    this.provisioner = provisioner;
    this.backends = backends;
    this.installation = new InstallationId(installation.id());
  }

  @Override
  public String name() {
    return "abandoned";
  }

  @Override
  public Duration period() {
    return PERIOD;
  }

  /** The backends at once: one whose vendor hangs keeps no other waiting. */
  @Override
  public void sweep() throws InterruptedException {
    var threads = new ArrayList<Thread>();
    rows.abandoned(MOST).stream()
        .collect(Collectors.groupingBy(AbandonedRepository.Abandoned::backend))
        .forEach((backend, some) ->
            threads.add(
                Thread.ofVirtual()
                    .name("abandoned-" + backend)
                    .start(() -> settle(backend, some))));
    try {
      for (var thread : threads) {
        thread.join();
      }
    } finally {
      threads.forEach(Thread::interrupt);
    }
  }

  private void settle(BackendName backend, List<AbandonedRepository.Abandoned> some) {
    try {
      var keys = keysAt(backend);
      for (var abandoned : some) {
        tryToFollow(abandoned, keys);
      }
    } catch (BackendException trouble) {
      log.atInfo()
          .addKeyValue("runtime", backend)
          .addKeyValue("why", trouble.getMessage())
          .log("abandoned workspaces not settled yet");
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException broken) {
      log.atWarn().setCause(broken).addKeyValue("runtime", backend).log("not settled");
    }
  }

  /** One that breaks must not keep the others waiting. */
  private void tryToFollow(AbandonedRepository.Abandoned abandoned, Set<String> keys)
      throws InterruptedException {
    try {
      follow(abandoned, keys);
    } catch (BackendException | ToolRefusal | Workspace.Superseded trouble) {
      log.atInfo()
          .addKeyValue("run", abandoned.run())
          .addKeyValue("why", trouble.getMessage())
          .log("abandoned workspace not settled yet");
    } catch (RuntimeException broken) {
      log.atWarn().setCause(broken).addKeyValue("run", abandoned.run()).log("not settled");
    }
  }

  private Set<String> keysAt(BackendName name) throws InterruptedException {
    var backend = backends.named(name);
    return backend.isEmpty()
        ? Set.of()
        : backend.get().list(installation).entries().stream()
            .map(entry -> entry.key().value())
            .collect(Collectors.toUnmodifiableSet());
  }

  private void follow(AbandonedRepository.Abandoned abandoned, Set<String> keys)
      throws InterruptedException {
    var claim = claims.claimAbandoned(abandoned.run());
    if (claim.isEmpty()) {
      return;
    }
    switch (claim.get()) {
      case Claim.Wake wake -> {
        var _ = provisioner.wake(wake);
      }
      case Claim.Create create when keys.contains(create.key().value()) -> {
        var _ = provisioner.create(create);
      }
      case Claim.Create create when abandoned.settled() -> {
        workspaces.creationForgotten(create.lease());
        say(abandoned.run(), "given up");
      }
      case Claim.Create create -> workspaces.creationAbandoned(create.lease());
      default -> throw new IllegalStateException("not to be followed: " + claim.get());
    }
  }

  private static void say(RunId run, String what) {
    log.atInfo().addKeyValue("run", run).addKeyValue("what", what).log("abandoned workspace");
  }
}
