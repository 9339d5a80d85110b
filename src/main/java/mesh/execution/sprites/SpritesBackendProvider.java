package mesh.execution.sprites;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.BackendProvider;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.Isolation;
import okhttp3.HttpUrl;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Offers Fly Sprites in the catalog. */
@Component
class SpritesBackendProvider implements BackendProvider {

  private static final String RESTRICT = "restrict_network";

  private static final BackendDescriptor DESCRIPTOR =
      new BackendDescriptor(
          new BackendName("sprites"),
          200,
          "Fly Sprites",
          "A small virtual machine for each workspace, made in about a second.",
          Isolation.MICROVM,
          "",
          List.of(
              new ConfigField.Secret(
                  "token",
                  "Token",
                  "A Sprites token of your Fly organization: it may make and delete any sprite there.",
                  true),
              new ConfigField.Address(
                  "base_url",
                  "Address",
                  "Where the Sprites interface answers.",
                  "https://api.sprites.dev"),
              new ConfigField.Choice(
                  "max_size",
                  "Largest size",
                  "Sprites have one size; kept so that every backend has a ceiling.",
                  List.of("small", "standard", "large", "xlarge"),
                  "large"),
              new ConfigField.Toggle(
                  RESTRICT,
                  "Restrict the network",
                  "Lets an allowlist be kept by Sprites' own policy, which works by names as they are"
                      + " looked up.")),
          Map.of("MESH_FLY_API_TOKEN", "token"),
          false);

  private final SecureRandom random;
  private final Duration margin;

  /**
   * @param margin after a command's timeout, until the sandbox ends it by itself: long enough for
   *     Mesh to have ended it, unless Mesh stands still
   */
  SpritesBackendProvider(
      SecureRandom random, @Value("${mesh.sprites.deadline-margin:30s}") Duration margin) {
    if (margin.isNegative()) {
      throw new IllegalArgumentException("mesh.sprites.deadline-margin must not be negative");
    }
    this.random = random;
    this.margin = margin;
  }

  @Override
  public BackendDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Class<? extends Backend> typeFor(BackendConfig config) {
    return config.isOn(RESTRICT) ? RestrictingSpritesBackend.class : OpenSpritesBackend.class;
  }

  @Override
  public Backend open(BackendConfig config) {
    var base = HttpUrl.parse(config.get("base_url").strip());
    if (base == null) {
      throw new BackendException.Rejected(
          "the address of Fly Sprites is not one that begins with https:// or http://", null);
    }
    var token = config.get("token").strip();
    if (token.isEmpty()
        || !token.chars().allMatch(character -> character > ' ' && character < 127)) {
      throw new BackendException.Rejected(
          "the token of Fly Sprites is empty or holds a character that no token has", null);
    }
    var account = new Account(base, token);
    return config.isOn(RESTRICT)
        ? new RestrictingSpritesBackend(account, random, Thread::sleep, margin)
        : new OpenSpritesBackend(account, random, Thread::sleep, margin);
  }
}
