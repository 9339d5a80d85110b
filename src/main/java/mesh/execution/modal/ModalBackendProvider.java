package mesh.execution.modal;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.BackendProvider;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.Isolation;
import org.springframework.stereotype.Component;

/** Offers Modal in the catalog. */
@Component
class ModalBackendProvider implements BackendProvider {

  private static final String TOKEN_ID = "token_id";
  private static final String TOKEN_SECRET = "token_secret";
  private static final String BASE_URL = "base_url";
  private static final String APP = "app";
  private static final String ENVIRONMENT = "environment";
  private static final String IMAGE = "image";
  private static final String REGIONS = "regions";
  private static final String SMALL_MEMORY = "small_memory_mib";
  private static final String SNAPSHOT_DAYS = "snapshot_days";
  private static final String NEVER = "until deleted";

  private static final String USUAL_APP = "mesh";

  /** With git, certificates and what fetches things, of the distribution most agents know best. */
  private static final String USUAL_IMAGE = "buildpack-deps:bookworm-scm";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern REGISTRY_IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]*");

  private static final BackendDescriptor DESCRIPTOR =
      new BackendDescriptor(
          new BackendName("modal"),
          100,
          "Modal",
          "A container under gVisor for each workspace, made in about a second.",
          Isolation.KERNEL_EMULATION,
          "",
          List.of(
              new ConfigField.Secret(
                  TOKEN_ID,
                  "Token id",
                  "Of a token of your Modal workspace: it begins with ak-.",
                  true),
              new ConfigField.Secret(
                  TOKEN_SECRET,
                  "Token secret",
                  "The secret that belongs to the id: it begins with as-.",
                  true),
              new ConfigField.Address(
                  BASE_URL,
                  "Address",
                  "Where Modal's interface answers.",
                  "https://api.modal.com:443"),
              new ConfigField.Text(
                  APP,
                  "App",
                  "The app that sandboxes belong to; made where there is none.",
                  false,
                  USUAL_APP),
              new ConfigField.Text(
                  ENVIRONMENT,
                  "Environment",
                  "Of the Modal workspace; empty for its default.",
                  false,
                  ""),
              new ConfigField.Text(
                  IMAGE,
                  "Image",
                  "From a public registry, with sh, setsid, git and a CA bundle; Modal copies it once.",
                  false,
                  USUAL_IMAGE),
              new ConfigField.Text(
                  REGIONS,
                  "Regions",
                  "Where sandboxes may run, separated by commas; empty for anywhere.",
                  false,
                  ""),
              new ConfigField.Choice(
                  "max_size",
                  "Largest size",
                  "A workspace that runs out of memory climbs so far.",
                  List.of("small", "standard", "large", "xlarge"),
                  "large"),
              new ConfigField.Choice(
                  SMALL_MEMORY,
                  "Memory of the small size, in MiB",
                  "Each next size has twice as much: standard, large, xlarge.",
                  List.of("64", "128", "256", "512", "1024", "2048", "4096"),
                  Integer.toString(MemorySizes.USUAL.small())),
              new ConfigField.Choice(
                  SNAPSHOT_DAYS,
                  "Days that a snapshot is kept",
                  "After so long Modal deletes one that Mesh has not.",
                  List.of("7", "30", "90", "365", NEVER),
                  NEVER)),
          Map.of("MESH_MODAL_TOKEN_ID", TOKEN_ID, "MESH_MODAL_TOKEN_SECRET", TOKEN_SECRET),
          false);

  private final Ambience ambience;

  ModalBackendProvider(SecureRandom random, Supplier<UUID> ids, Clock clock) {
    this.ambience = Ambience.usual(random, ids, clock);
  }

  @Override
  public BackendDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Class<? extends Backend> typeFor(BackendConfig config) {
    return ModalBackend.class;
  }

  @Override
  public Backend open(BackendConfig config) {
    var account = new Account(address(config), part(config, TOKEN_ID), part(config, TOKEN_SECRET));
    return ModalBackend.open(account, plan(config), ambience);
  }

  private static URI address(BackendConfig config) {
    return Account.address(config.get(BASE_URL))
        .orElseThrow(() ->
            rejected(
                "the address of Modal is not one that begins with https://, or http:// on this"
                    + " machine, and ends with a host or a port"));
  }

  private static String part(BackendConfig config, String key) {
    var part = config.get(key).strip();
    if (part.isEmpty() || !part.chars().allMatch(it -> it > ' ' && it < 127)) {
      throw rejected("the token of Modal is empty or holds a character that no token has");
    }
    return part;
  }

  private static Plan plan(BackendConfig config) {
    var app = text(config, APP, USUAL_APP);
    var environment = text(config, ENVIRONMENT, "");
    var image = text(config, IMAGE, USUAL_IMAGE);
    if (!NAME.matcher(app).matches() || !(environment + "-").matches(NAME.pattern())) {
      throw rejected("an app or environment of Modal has a name of letters, digits and . _ -");
    }
    if (!REGISTRY_IMAGE.matcher(image).matches()) {
      throw rejected("the image is not one that a registry could have: " + image);
    }
    var regions =
        Arrays.stream(text(config, REGIONS, "").split(","))
            .map(String::strip)
            .filter(it -> !it.isEmpty())
            .toList();
    var small = text(config, SMALL_MEMORY, Integer.toString(MemorySizes.USUAL.small()));
    var days = text(config, SNAPSHOT_DAYS, NEVER);
    return new Plan(
        app,
        environment,
        image,
        regions,
        new MemorySizes(Integer.parseInt(small)),
        days.equals(NEVER) ? -1 : Duration.ofDays(Long.parseLong(days)).toSeconds());
  }

  private static String text(BackendConfig config, String key, String fallback) {
    return config.find(key).map(String::strip).filter(it -> !it.isEmpty()).orElse(fallback);
  }

  private static BackendException.Rejected rejected(String sentence) {
    return new BackendException.Rejected(sentence, null);
  }
}
