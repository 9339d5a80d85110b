package mesh.webhook;

import mesh.secret.Secret;

/** A webhook whose secret was just set: the only moment at which somebody can be shown it. */
public record WebhookSecret(Webhook webhook, Secret secret) {}
