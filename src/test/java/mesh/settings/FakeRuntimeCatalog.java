package mesh.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.DeclaredCapability;
import mesh.execution.catalog.DeclaredEgress;
import mesh.execution.catalog.Isolation;
import mesh.execution.catalog.RuntimeCatalog;

/** Three kinds of backend with every kind of field between them. */
public final class FakeRuntimeCatalog implements RuntimeCatalog {

  static final int MOST_DOMAINS = 40;
  static final BackendName ALPHA = new BackendName("alpha");
  static final BackendName BETA = new BackendName("beta");
  static final BackendName PLAIN = new BackendName("plain");

  @Override
  public List<BackendDescriptor> descriptors() {
    return List.of(
        new BackendDescriptor(
            ALPHA,
            1,
            "Alpha",
            "Machines somewhere.",
            Isolation.MICROVM,
            "",
            List.of(
                new ConfigField.Secret("token", "Token", "The account's token.", true),
                new ConfigField.Address(
                    "base_url", "Address", "Where it answers.", "https://alpha.example"),
                new ConfigField.Text("region", "Region", "Where machines run.", false, "north"),
                new ConfigField.Choice(
                    "max_size", "Largest size", "The ceiling.", List.of("small", "large"), "small"),
                new ConfigField.Toggle("private_network", "Private", "Whether it is private.")),
            Map.of("TEST_ALPHA_TOKEN", "token"),
            false),
        new BackendDescriptor(
            BETA,
            2,
            "Beta",
            "Containers.",
            Isolation.CONTAINER,
            "Beware.",
            List.of(
                new ConfigField.Text("namespace", "Namespace", "Where pods go.", true, ""),
                new ConfigField.Secret("key", "Key", "Optional.", false)),
            Map.of("TEST_BETA_KEY", "key", "TEST_BETA_NAMESPACE", "namespace"),
            false),
        new BackendDescriptor(
            PLAIN,
            3,
            "Plain",
            "Nothing to set.",
            Isolation.DIRECTORY,
            "",
            List.of(),
            Map.of(),
            true));
  }

  @Override
  public List<DeclaredCapability> capabilities(BackendName name, BackendConfig config) {
    boolean restricts = name.equals(ALPHA) && config.isOn("private_network");
    return List.of(
        new DeclaredCapability("shell", true, "Runs programs.", "Runs none."),
        new DeclaredCapability(
            "egress_control",
            restricts,
            "Restricted.",
            "Not restricted.",
            restricts ? "sni" : "",
            restricts ? "DNS stays open." : ""));
  }

  @Override
  public Optional<DeclaredEgress> egress(BackendName name, BackendConfig config) {
    return name.equals(ALPHA) && config.isOn("private_network")
        ? Optional.of(new DeclaredEgress("sni", "DNS stays open.", MOST_DOMAINS))
        : Optional.empty();
  }
}
