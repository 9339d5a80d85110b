package mesh.webhook;

import java.util.Map;
import java.util.UUID;
import mesh.access.Operator;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Problem;
import mesh.webhook.WebhookBodies.DeliveryAnswer;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The log of a webhook's deliveries. */
@RestController
@RequestMapping("/api/settings/webhooks/{id}/deliveries")
class DeliveryController {

  private final Webhooks webhooks;

  DeliveryController(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  /** Newest first. */
  @GetMapping
  Map<String, @Nullable Object> list(
      @PathVariable UUID id,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = Limit.DEFAULT) Limit limit,
      @RequestParam(required = false) @Nullable Cursor cursor) {
    return webhooks
        .deliveries(new WebhookId(id), status(status), cursor, limit)
        .map(DeliveryAnswer::of)
        .json("deliveries");
  }

  @PostMapping("/{delivery}/redeliver")
  DeliveryAnswer redeliver(
      @PathVariable UUID id,
      @PathVariable UUID delivery,
      @AuthenticationPrincipal Operator operator) {
    return DeliveryAnswer.of(
        webhooks.redeliver(new WebhookId(id), new DeliveryId(delivery), operator.actor()));
  }

  private static @Nullable DeliveryStatus status(@Nullable String word) {
    return word == null
        ? null
        : DeliveryStatus.of(word)
            .orElseThrow(() ->
                Problem.badRequest(
                    "status_unknown", "There is no delivery status '" + word + "'."));
  }
}
