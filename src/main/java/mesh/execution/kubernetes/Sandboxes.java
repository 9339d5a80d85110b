package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.remote.Commands;
import mesh.execution.remote.RemoteSandbox;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sandboxes as pods. A pod's name is its sandbox's key. */
final class Sandboxes {

  private static final Logger log = LoggerFactory.getLogger(Sandboxes.class);

  private final Manifest manifest;
  private final Installation installation;
  private final Pods pods;
  private final Startup startup;
  private final Commands commands;

  Sandboxes(
      Manifest manifest, Installation installation, Pods pods, Startup startup, Commands commands) {
    this.manifest = manifest;
    this.installation = installation;
    this.pods = pods;
    this.startup = startup;
    this.commands = commands;
  }

  Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    return begin(manifest.pod(spec, installation.owner(spec.installation())));
  }

  /** Makes a pod unless it is there and waits until commands run in it. */
  Sandbox begin(Pod wanted) throws InterruptedException {
    try {
      return begun(wanted);
    } catch (InterruptedException cancel) {
      withdraw(wanted, cancel);
      throw cancel;
    }
  }

  private Sandbox begun(Pod wanted) throws InterruptedException {
    boolean made = pods.create(wanted);
    var pod = made ? Optional.<Pod>empty() : ofBefore(wanted);
    if (!made && pod.isEmpty()) {
      made = pods.create(wanted);
    }
    var identity = Identity.of(pod.isPresent() ? pod.get() : found(wanted));
    // One that runs already may be in use, and its trouble may pass.
    boolean mayGo = made || !pod.map(Startup::runs).orElse(false);
    try {
      startup.await(identity);
      var sandbox = sandbox(identity);
      sandbox.makeReady();
      return sandbox;
    } catch (BackendException failure) {
      if (mayGo) {
        clearAway(identity, failure);
      }
      throw failure;
    }
  }

  /** Of a request that was under way nobody knows whether it made a pod. */
  private void withdraw(Pod wanted, InterruptedException cancel) {
    try {
      var pod = pods.find(wanted.getMetadata().getName());
      if (pod.isPresent() && isOfSameOwner(pod.get(), wanted) && !Startup.runs(pod.get())) {
        clearAway(Identity.of(pod.get()), cancel);
      }
    } catch (BackendException trouble) {
      cancel.addSuppressed(trouble);
    } catch (InterruptedException again) {
      Thread.currentThread().interrupt();
    }
  }

  /** The pod that an attempt before made; empty if it is gone by now. */
  private Optional<Pod> ofBefore(Pod wanted) throws InterruptedException {
    var name = wanted.getMetadata().getName();
    var pod = pods.find(name);
    if (pod.isPresent() && !isOfSameOwner(pod.get(), wanted)) {
      throw new BackendException.Rejected(
          "the namespace has a pod %s that this installation of Mesh did not make".formatted(name),
          null);
    }
    if (pod.isPresent() && pod.get().getMetadata().getDeletionTimestamp() != null) {
      pods.delete(Identity.of(pod.get()));
      return Optional.empty();
    }
    return pod;
  }

  private static boolean isOfSameOwner(Pod pod, Pod wanted) {
    return java.util.stream.Stream.of(
            Manifest.MANAGED_BY, Manifest.INSTALLATION, Manifest.WORKSPACE)
        .allMatch(name -> Manifest.label(pod, name).equals(Manifest.label(wanted, name)));
  }

  private Pod found(Pod wanted) throws InterruptedException {
    var name = wanted.getMetadata().getName();
    return pods.find(name)
        .orElseThrow(() ->
            new BackendException.SandboxGone(
                "the pod %s was deleted as soon as it was made".formatted(name)));
  }

  private void clearAway(Identity identity, Exception failure) {
    try {
      pods.delete(identity);
    } catch (BackendException trouble) {
      failure.addSuppressed(trouble);
      log.atWarn()
          .addKeyValue("pod", identity.pod())
          .setCause(trouble)
          .log("a pod that did not come to run was not deleted");
    } catch (InterruptedException cancel) {
      Thread.currentThread().interrupt();
    }
  }

  RemoteSandbox sandbox(Identity identity) {
    return new RemoteSandbox(
        identity.ref(), identity.text(), Manifest.HOME, Manifest.PROJECT, commands);
  }

  Sandbox attach(ExternalRef ref) throws InterruptedException {
    var identity = Identity.of(ref);
    pods.require(identity);
    return sandbox(identity);
  }

  void destroy(ExternalRef ref) throws InterruptedException {
    pods.delete(Identity.of(ref));
  }

  Inventory list(InstallationId of) throws InterruptedException {
    var census = new Census(of);
    pods.all().forEach(census::add);
    return census.inventory();
  }
}
