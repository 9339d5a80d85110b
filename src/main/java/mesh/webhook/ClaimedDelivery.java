package mesh.webhook;

import mesh.run.RunId;

/**
 * A delivery that this instance alone may try now.
 *
 * @param attempts with the one that is about to be made
 * @param fence of the claim: whoever lost it can record nothing any more
 */
record ClaimedDelivery(
    DeliveryId id,
    Target target,
    RunId run,
    String event,
    String payload,
    int attempts,
    long fence) {}
