package mesh.execution;

import java.time.Duration;
import java.util.UUID;

/**
 * What Mesh asks of a new sandbox.
 *
 * @param key Mesh's own identity for the sandbox, stable across retries
 * @param image the base image: a name that each backend resolves in its own configuration; {@value
 *     #DEFAULT_IMAGE} is what a backend uses when nothing else is configured
 * @param size how large, already clamped to the operator's ceiling; each backend maps it to its own
 *     units, and one that is not {@link Sized} ignores it
 * @param lifetime how long it may be needed at a stretch, from its creation or from being woken; a
 *     backend that is {@link LifetimeLimited} has the vendor end it then, and others ignore it
 * @param installation who made it, for {@link Backend#list}
 * @param workspace the row it is made for; a label for people who look at the vendor's console
 * @param generation the key's generation, from 1
 */
public record SandboxSpec(
    SandboxKey key,
    String image,
    Size size,
    Duration lifetime,
    InstallationId installation,
    UUID workspace,
    int generation) {

  /** Names whatever the backend's configuration calls its standard image. */
  public static final String DEFAULT_IMAGE = "default";

  public SandboxSpec {
    if (!lifetime.isPositive()) {
      throw new IllegalArgumentException("lifetime must be over 0: " + lifetime);
    }
  }

  /** A spec whose key follows from the other values. */
  public static SandboxSpec of(
      InstallationId installation, UUID workspace, int generation, Size size, Duration lifetime) {
    return new SandboxSpec(
        SandboxKey.of(installation, workspace, generation),
        DEFAULT_IMAGE,
        size,
        lifetime,
        installation,
        workspace,
        generation);
  }
}
