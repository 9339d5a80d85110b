package mesh.credential;

import java.time.Instant;

/**
 * An agent's credential as the database has it.
 *
 * @param token sealed, if nobody tampered with the row
 */
record StoredCredential(
    Provider provider, String token, Account account, Instant setAt, String setBy) {}
