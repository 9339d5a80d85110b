package mesh.credential;

import java.time.Instant;

/**
 * What a run was issued for one provider, for ever.
 *
 * @param kind such as {@code personal_access_token}
 * @param revision the permission's when it was issued
 * @param available whether the run could be given a credential
 * @param current whether it still is what the agent may have
 */
public record Issuance(
    Provider provider,
    String kind,
    long revision,
    boolean available,
    Instant issuedAt,
    boolean current) {}
