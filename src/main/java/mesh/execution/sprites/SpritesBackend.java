package mesh.execution.sprites;

import java.security.SecureRandom;
import java.util.List;
import mesh.execution.Backend;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Shell;

/** Sandboxes as sprites. A sprite's name is its sandbox's key, and the external ref too. */
final class SpritesBackend implements Backend, Shell {

  private final Rest rest;
  private final SpritesApi api;
  private final Connector connector;
  private final Commands commands;

  private SpritesBackend(Rest rest, SpritesApi api, Connector connector, Commands commands) {
    this.rest = rest;
    this.api = api;
    this.connector = connector;
    this.commands = commands;
  }

  static SpritesBackend open(Account account, SecureRandom random, Patience.Pause pause) {
    var patience = new Patience(pause, random);
    var rest = new Rest(account);
    var api = new SpritesApi(account, rest, patience);
    var connector = new Connector(account, api, patience);
    return new SpritesBackend(rest, api, connector, new Commands(connector, api, random));
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    var name = spec.key().value();
    api.create(name);
    var sprite = new Sprite(name, commands);
    sprite.makeReady();
    return sprite;
  }

  @Override
  public Sandbox attach(ExternalRef ref) throws InterruptedException {
    if (!api.exists(ref.reveal())) {
      throw SpritesApi.gone(ref.reveal());
    }
    return new Sprite(ref.reveal(), commands);
  }

  @Override
  public Release release(ExternalRef ref) throws InterruptedException {
    api.delete(ref.reveal());
    return Release.DESTROYED;
  }

  @Override
  public List<InventoryEntry> list(InstallationId installation) throws InterruptedException {
    return api.list(installation);
  }

  @Override
  public void close() {
    connector.close();
    rest.close();
  }
}
