/**
 * What agents act as and were handed: the credential an agent has of its own at each provider, the
 * permission to deliver it into sandboxes, what each run was issued, and the agent's vault. Knows
 * no sandbox; {@code workspace} delivers and enforces.
 *
 * <p>A permission's revision rises with every change of it or of the credential, in the database.
 * What was issued under an older one is worth nothing from that commit on.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "activity",
      "agent",
      "database",
      "fault",
      "redaction",
      "run",
      "secret",
      "web"
    })
@NullMarked
package mesh.credential;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
