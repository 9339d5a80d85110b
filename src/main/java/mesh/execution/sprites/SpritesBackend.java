package mesh.execution.sprites;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import mesh.execution.Backend;
import mesh.execution.BackendException;
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
final class SpritesBackend implements Backend, Shell, Hibernator {

  private static final SandboxPath HOME = new SandboxPath("/home/sprite");
  private static final SandboxPath PROJECT = HOME.resolve("project");

  private final Patience patience;
  private final Rest rest;
  private final SpritesApi api;
  private final Residents residents;
  private final Connector connector;
  private final Commands commands;

  private SpritesBackend(
      Rest rest,
      SpritesApi api,
      Residents residents,
      Connector connector,
      Commands commands,
      Patience patience) {
    this.patience = patience;
    this.rest = rest;
    this.api = api;
    this.residents = residents;
    this.connector = connector;
    this.commands = commands;
  }

  /**
   * @param margin after a command's timeout, until it ends even if Mesh stands still
   */
  static SpritesBackend open(
      Account account, SecureRandom random, Patience.Pause pause, Duration margin) {
    var patience = new Patience(pause, random);
    var rest = new Rest(account);
    var api = new SpritesApi(account, rest, patience);
    var residents = new Residents(account, rest, patience);
    var connector = new Connector(account, api, residents, patience);
    var dialect = new Dialect("Fly Sprites", "sprite", Optional.of(margin), true);
    var commands = new Commands(connector, dialect, random);
    return new SpritesBackend(rest, api, residents, connector, commands, patience);
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    var name = spec.key().value();
    api.create(name);
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
