package mesh.execution.sprites;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.EgressPolicy;
import mesh.execution.ExternalRef;
import mesh.execution.Hibernator;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.Shell;
import mesh.execution.remote.Commands;
import mesh.execution.remote.Dialect;
import mesh.execution.remote.Patience;
import mesh.execution.remote.RemoteSandbox;

/** Sandboxes as sprites. A sprite's name is its sandbox's key, and the external ref too. */
abstract class SpritesBackend implements Backend, Shell, Hibernator {

  private static final SandboxPath HOME = new SandboxPath("/home/sprite");
  private static final SandboxPath PROJECT = HOME.resolve("project");

  private final Patience patience;
  private final Rest rest;
  private final SpritesApi api;
  private final NetworkPolicies policies;
  private final Residents residents;
  private final Connector connector;
  private final Commands commands;

  /**
   * @param margin after a command's timeout, until it ends even if Mesh stands still
   */
  SpritesBackend(Account account, SecureRandom random, Patience.Pause pause, Duration margin) {
    this.patience = new Patience(pause, random);
    this.rest = new Rest(account);
    this.api = new SpritesApi(account, rest, patience);
    this.policies = new NetworkPolicies(account, rest, patience);
    this.residents = new Residents(account, rest, patience);
    this.connector = new Connector(account, api, residents, patience);
    var dialect = new Dialect("Fly Sprites", "sprite", Optional.of(margin), true);
    this.commands = new Commands(connector, dialect, random);
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    var name = spec.key().value();
    api.create(name);
    return ready(name);
  }

  /**
   * As {@link #acquire(SandboxSpec)}. The vendor takes no policy with a creation, so it is set and
   * read back before anything runs in there.
   */
  final Sandbox restricted(SandboxSpec spec, EgressPolicy policy) throws InterruptedException {
    var name = spec.key().value();
    api.create(name);
    try {
      policies.set(name, policy);
    } catch (BackendException.Rejected | BackendException.Unexpected refused) {
      api.delete(name);
      throw refused;
    }
    return ready(name);
  }

  private Sandbox ready(String name) throws InterruptedException {
    var sprite = sprite(name);
    sprite.makeReady();
    return sprite;
  }

  private RemoteSandbox sprite(String name) {
    return new RemoteSandbox(ExternalRef.of(name), name, HOME, PROJECT, commands);
  }

  @Override
  public Sandbox attach(ExternalRef ref) throws InterruptedException {
    if (!api.exists(ref.reveal())) {
      throw SpritesApi.gone(ref.reveal());
    }
    return sprite(ref.reveal());
  }

  @Override
  public Release release(ExternalRef ref) throws InterruptedException {
    var name = ref.reveal();
    try {
      // A sprite falls asleep by itself, soon after nothing runs in it and nobody is connected.
      residents.endServices(name);
      patience.retrying(() -> {
        sprite(name).clear();
        return true;
      });
      residents.endSessions(name);
      return Release.HIBERNATED;
    } catch (BackendException.SandboxGone gone) {
      return Release.DESTROYED;
    }
  }

  @Override
  public Sandbox wake(ExternalRef ref) throws InterruptedException {
    var sprite = sprite(ref.reveal());
    // Its first command wakes it, and finds out that it exists.
    sprite.makeReady();
    return sprite;
  }

  @Override
  public void destroy(ExternalRef ref) throws InterruptedException {
    api.delete(ref.reveal());
  }

  @Override
  public Inventory list(InstallationId installation) throws InterruptedException {
    return api.list(installation);
  }

  @Override
  public void close() {
    connector.close();
    rest.close();
  }
}
