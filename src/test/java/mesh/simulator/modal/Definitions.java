package mesh.simulator.modal;

import java.util.Locale;
import java.util.regex.Pattern;
import modal.client.NetworkAccess;
import modal.client.NetworkAccess.NetworkAccessType;
import modal.client.Sandbox;

/** What the vendor does not accept of a sandbox's definition. */
final class Definitions {

  private static final int LONGEST_LIFE = 24 * 60 * 60;
  private static final int MOST_DOMAINS = 100;
  private static final Pattern DOMAIN =
      Pattern.compile(
          "(\\*\\.)?([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}");

  private Definitions() {}

  static void check(Sandbox definition) {
    if (definition.hasName()) {
      Names.check("Sandbox", definition.getName());
    }
    var timeout = Integer.toUnsignedLong(definition.getTimeoutSecs());
    if (timeout < 1 || timeout > LONGEST_LIFE) {
      throw Refusal.invalid("timeout must be from 1 s to 24 h");
    }
    if (definition.hasIdleTimeoutSecs() && definition.getIdleTimeoutSecs() == 0) {
      throw Refusal.invalid("idle_timeout must be positive");
    }
    if (definition.hasWorkdir() && !definition.getWorkdir().startsWith("/")) {
      throw Refusal.invalid("workdir must be absolute: " + definition.getWorkdir());
    }
    if (definition.getVolumeMountsCount() > 0) {
      throw Refusal.unimplemented("this simulator has no volumes");
    }
    var access = definition.getNetworkAccess();
    check(access);
    if (access.getNetworkAccessType() == NetworkAccessType.BLOCKED
        && definition.getOpenPorts().getPortsCount() > 0) {
      throw Refusal.invalid("Cannot specify open ports when block_network is enabled");
    }
    definition.getInboundCidrAllowlistList().forEach(Cidr::check);
  }

  static void check(NetworkAccess access) {
    if (access.getNetworkAccessType() != NetworkAccessType.ALLOWLIST
        && access.getAllowedCidrsCount() + access.getAllowedDomainsCount() > 0) {
      throw Refusal.invalid("an allowlist needs the network access type ALLOWLIST");
    }
    if (access.getAllowedDomainsCount() > MOST_DOMAINS) {
      throw Refusal.invalid("at most " + MOST_DOMAINS + " domains can be allowed");
    }
    access.getAllowedCidrsList().forEach(Cidr::check);
    access.getAllowedDomainsList().forEach(Definitions::checkDomain);
  }

  private static void checkDomain(String domain) {
    var name = domain.toLowerCase(Locale.ROOT);
    if (!domain.equals("*")
        && (!DOMAIN.matcher(domain).matches()
            || domain.length() > 253
            || name.equals("localhost.localdomain")
            || name.endsWith(".localhost"))) {
      throw Refusal.invalid("Invalid domain: " + domain);
    }
  }
}
