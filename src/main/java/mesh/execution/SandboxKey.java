package mesh.execution;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Mesh's own name for a sandbox: chosen and committed before the vendor is called, so that a lost
 * answer or a crash can be followed up by name.
 *
 * <p>Form: {@code mesh-<installation>-<workspace>-<generation>}, at most {@value #MAX_LENGTH}
 * characters of {@code [a-z0-9-]}, which every vendor accepts as a name or label. The generation
 * makes a replacement a different name: a late delete of the old sandbox can never hit the new one.
 */
public record SandboxKey(String value) {

  /** Longest value. Some vendors build a DNS label from it and refuse more. */
  public static final int MAX_LENGTH = 48;

  private static final Pattern FORM = Pattern.compile("mesh-[a-z0-9]{10}-[a-z0-9]{25}-[1-9][0-9]*");

  public SandboxKey {
    if (value.length() > MAX_LENGTH || !FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("not a sandbox key: " + value);
    }
  }

  /**
   * @param generation 1 for a workspace's first sandbox, one more for each replacement
   */
  public static SandboxKey of(InstallationId installation, UUID workspace, int generation) {
    return new SandboxKey(prefix(installation) + base36(workspace) + "-" + generation);
  }

  /** What the keys of all sandboxes of one installation begin with, and no other's. */
  public static String prefix(InstallationId installation) {
    return "mesh-" + installation.value() + "-";
  }

  public boolean isOf(InstallationId installation) {
    return value.startsWith(prefix(installation));
  }

  private static String base36(UUID id) {
    var bytes =
        ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits());
    var digits = new BigInteger(1, bytes.array()).toString(36);
    return "0".repeat(25 - digits.length()) + digits;
  }
}
