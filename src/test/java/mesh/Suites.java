package mesh;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Assumptions;

/**
 * Decides whether a suite that needs more than a JDK and a plain Linux runs on this machine.
 *
 * <p>A suite that cannot run is skipped, and the build says so in one plain sentence. With {@code
 * MESH_SUITES=all} in the environment, as on the build server, nothing may be skipped.
 */
public final class Suites {

  private Suites() {}

  /** Whether a suite that cannot run here fails instead of being skipped. */
  public static boolean allMandatory() {
    return "all".equals(System.getenv("MESH_SUITES"));
  }

  /**
   * Ends the calling test, as skipped or failed, unless {@code condition} holds.
   *
   * @param suite what the reader loses, for example {@code "official clients"}
   * @param reason completes "Skipped {suite}: …", for example {@code "npm is not on the PATH"}
   */
  public static void require(String suite, boolean condition, String reason) {
    if (condition) {
      return;
    }
    if (allMandatory()) {
      fail(
          "The suite \"%s\" is mandatory here (MESH_SUITES=all) but cannot run: %s", suite, reason);
    }
    System.out.println("Skipped " + suite + ": " + reason + ".");
    Assumptions.abort("Skipped " + suite + ": " + reason);
  }
}
