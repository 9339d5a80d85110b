package mesh.webhook;

import java.util.List;
import java.util.UUID;
import mesh.access.Operator;
import mesh.webhook.WebhookBodies.WebhookAnswer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Webhooks for operators. */
@RestController
@RequestMapping("/api/settings/webhooks")
class WebhookController {

  private final Webhooks webhooks;

  WebhookController(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  @GetMapping
  All list() {
    return new All(webhooks.all().stream().map(WebhookAnswer::of).toList(), null);
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  WebhookAnswer create(
      @RequestBody WebhookBodies.Creation body, @AuthenticationPrincipal Operator operator) {
    var created = webhooks.create(body.draft(), body.secret(), operator.actor());
    return body.secret() == null ? shown(created) : WebhookAnswer.of(created.webhook());
  }

  @GetMapping("/{id}")
  WebhookAnswer show(@PathVariable UUID id) {
    return WebhookAnswer.of(webhooks.get(new WebhookId(id)));
  }

  @PatchMapping("/{id}")
  WebhookAnswer change(
      @PathVariable UUID id,
      @RequestBody WebhookBodies.Change body,
      @AuthenticationPrincipal Operator operator) {
    return WebhookAnswer.of(webhooks.change(new WebhookId(id), body, operator.actor()));
  }

  @DeleteMapping("/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, @AuthenticationPrincipal Operator operator) {
    webhooks.delete(new WebhookId(id), operator.actor());
  }

  @PostMapping("/{id}/test")
  PingResult test(@PathVariable UUID id, @AuthenticationPrincipal Operator operator) {
    return webhooks.test(new WebhookId(id), operator.actor());
  }

  @PostMapping("/{id}/rotate")
  WebhookAnswer rotate(
      @PathVariable UUID id,
      @RequestBody(required = false) WebhookBodies.@Nullable Rotation body,
      @AuthenticationPrincipal Operator operator) {
    var secret = body == null ? null : body.secret();
    var rotated = webhooks.rotate(new WebhookId(id), secret, operator.actor());
    return secret == null ? shown(rotated) : WebhookAnswer.of(rotated.webhook());
  }

  /** The one answer that has the secret in it. */
  private static WebhookAnswer shown(WebhookSecret set) {
    return WebhookAnswer.of(set.webhook(), set.secret().reveal());
  }

  /**
   * @param next null: there are too few for a second page
   */
  record All(List<WebhookAnswer> webhooks, @Nullable String next) {}
}
