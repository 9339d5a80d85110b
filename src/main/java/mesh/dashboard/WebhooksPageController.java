package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import mesh.access.Operator;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.Spoken;
import mesh.secret.Secret;
import mesh.web.Cursor;
import mesh.web.Problem;
import mesh.webhook.DeliveryId;
import mesh.webhook.DeliveryStatus;
import mesh.webhook.Webhook;
import mesh.webhook.WebhookId;
import mesh.webhook.WebhookSecret;
import mesh.webhook.Webhooks;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Settings, Webhooks: the receivers, their logs, and the forms that change them. */
@Controller
@RequestMapping(WebhooksPages.ADDRESS)
class WebhooksPageController {

  private final Webhooks webhooks;
  private final WebhooksPages pages;

  WebhooksPageController(Webhooks webhooks, WebhooksPages pages) {
    this.webhooks = webhooks;
    this.pages = pages;
  }

  @GetMapping
  ModelAndView list(@AuthenticationPrincipal Operator operator, HttpServletRequest request) {
    return new ModelAndView("webhooks", "page", pages.all(request, operator, RefusedForm.NONE));
  }

  @PostMapping
  ModelAndView add(
      @AuthenticationPrincipal Operator operator,
      @RequestParam Map<String, String> sent,
      HttpServletRequest request) {
    String given = sent.getOrDefault("secret", "").strip();
    try {
      WebhookSecret added =
          webhooks.create(
              WebhookFields.draft(sent, true),
              given.isEmpty() ? null : Secret.of(given),
              operator.actor());
      return given.isEmpty() ? shown(operator, added, request) : to(added.webhook());
    } catch (Problem problem) {
      return refused(
          new ModelAndView(
              "webhooks",
              "page",
              pages.all(request, operator, WebhookFields.refused(sent, problem))));
    }
  }

  @GetMapping("/{id}")
  ModelAndView show(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String status,
      @RequestParam(required = false) @Nullable Cursor cursor,
      HttpServletRequest request) {
    WebhookQuery query = new WebhookQuery(DeliveryStatus.of(status), Optional.ofNullable(cursor));
    return page(operator, known(id), query, "", RefusedForm.NONE, request);
  }

  @PostMapping("/{id}")
  ModelAndView change(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      @RequestParam Map<String, String> sent,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      Webhook changed =
          webhooks.change(
              new WebhookId(id),
              before -> WebhookFields.draft(sent, before.enabled()),
              operator.actor());
      Said.on(next, Mark.GOOD, "Webhook %s is saved.".formatted(changed.name()), "");
      return to(changed);
    } catch (Problem problem) {
      RefusedForm form = WebhookFields.refused(sent, problem);
      return refused(page(operator, known(id), WebhookQuery.ALL, "", form, request));
    }
  }

  @PostMapping("/{id}/enable")
  ModelAndView enable(
      @AuthenticationPrincipal Operator operator, @PathVariable UUID id, RedirectAttributes next) {
    return turn(id, true, operator, "What it missed while paused is sent now.", next);
  }

  @PostMapping("/{id}/disable")
  ModelAndView disable(
      @AuthenticationPrincipal Operator operator, @PathVariable UUID id, RedirectAttributes next) {
    return turn(id, false, operator, "What happens from now on is not kept for it.", next);
  }

  @PostMapping("/{id}/test")
  ModelAndView test(
      @AuthenticationPrincipal Operator operator, @PathVariable UUID id, RedirectAttributes next) {
    Webhook webhook = known(id);
    var result = webhooks.test(webhook.id(), operator.actor());
    String took = Spoken.duration(java.time.Duration.ofMillis(result.millis()));
    if (result.ok()) {
      Said.on(
          next,
          Mark.GOOD,
          "The receiver took the test.",
          "It answered %d within %s.".formatted(result.status(), took));
    } else {
      Said.on(
          next, Mark.BAD, "The receiver did not take the test.", String.valueOf(result.error()));
    }
    return to(webhook);
  }

  @PostMapping("/{id}/rotate")
  ModelAndView rotate(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      HttpServletRequest request) {
    return shown(operator, webhooks.rotate(new WebhookId(id), null, operator.actor()), request);
  }

  @PostMapping("/{id}/delete")
  String delete(
      @AuthenticationPrincipal Operator operator, @PathVariable UUID id, RedirectAttributes next) {
    Webhook webhook = known(id);
    webhooks.delete(webhook.id(), operator.actor());
    Said.on(
        next,
        Mark.GOOD,
        "Webhook %s is deleted.".formatted(webhook.name()),
        "It is told nothing more, and its log is gone.");
    return "redirect:" + WebhooksPages.ADDRESS;
  }

  @PostMapping("/{id}/deliveries/{delivery}/redeliver")
  ModelAndView redeliver(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      @PathVariable UUID delivery,
      RedirectAttributes next) {
    Webhook webhook = known(id);
    try {
      webhooks.redeliver(webhook.id(), new DeliveryId(delivery), operator.actor());
      Said.on(next, Mark.GOOD, "It is sent once more.", "The log tells what came of it.");
    } catch (Problem problem) {
      Said.on(next, Mark.ATTENTION, "It was not sent once more.", problem.sentence());
    }
    return to(webhook);
  }

  private ModelAndView turn(
      UUID id, boolean on, Operator operator, String consequence, RedirectAttributes next) {
    Webhook changed =
        webhooks.change(
            new WebhookId(id),
            before ->
                new mesh.webhook.WebhookDraft(
                    before.name(),
                    before.url(),
                    before.allowPrivate(),
                    before.events(),
                    before.agents(),
                    on),
            operator.actor());
    Said.on(
        next,
        Mark.GOOD,
        "Webhook %s is %s.".formatted(changed.name(), on ? "enabled" : "disabled"),
        consequence);
    return to(changed);
  }

  /** Not after a redirect, which would have to keep the secret somewhere. */
  private ModelAndView shown(Operator operator, WebhookSecret set, HttpServletRequest request) {
    return page(
        operator,
        set.webhook(),
        WebhookQuery.ALL,
        set.secret().reveal(),
        RefusedForm.NONE,
        request);
  }

  private ModelAndView page(
      Operator operator,
      Webhook webhook,
      WebhookQuery query,
      String secret,
      RefusedForm refused,
      HttpServletRequest request) {
    return new ModelAndView(
        "webhook", "page", pages.one(request, operator, webhook, query, secret, refused));
  }

  private Webhook known(UUID id) {
    return webhooks.get(new WebhookId(id));
  }

  private static ModelAndView to(Webhook webhook) {
    return new ModelAndView("redirect:" + WebhooksPages.address(webhook));
  }

  private static ModelAndView refused(ModelAndView page) {
    page.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
    return page;
  }
}
