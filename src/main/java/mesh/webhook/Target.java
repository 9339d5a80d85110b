package mesh.webhook;

import mesh.secret.SealedText;
import org.jspecify.annotations.Nullable;

/**
 * Where calls of a webhook go, and what they are signed with.
 *
 * @param previous the secret before, while it counts too; null if there is none
 */
record Target(
    WebhookId webhook,
    String name,
    String url,
    boolean allowPrivate,
    SealedText secret,
    @Nullable SealedText previous) {}
