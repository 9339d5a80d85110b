package mesh.dashboard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.WebhookForm;
import mesh.web.Problem;
import mesh.webhook.EventType;
import mesh.webhook.Webhook;
import mesh.webhook.WebhookDraft;

/** The form of a webhook: what stands in it, and what was typed into it. */
final class WebhookFields {

  static final String FORM = "webhook";

  private static final String EVENT = "event:";
  private static final String PRIVATE = "allow_private";

  private WebhookFields() {}

  /** For one that is to be added. */
  static WebhookForm empty(RefusedForm refused) {
    return form(
        refused,
        "",
        "",
        "",
        false,
        EnumSet.of(EventType.RUN_AWAITING_INPUT, EventType.RUN_ENDED),
        true);
  }

  static WebhookForm of(Webhook webhook, RefusedForm refused) {
    return form(
        refused,
        webhook.name(),
        webhook.url(),
        String.join(" ", webhook.agents()),
        webhook.allowPrivate(),
        Set.copyOf(webhook.events()),
        false);
  }

  /**
   * @throws Problem 400 if it is none
   */
  static WebhookDraft draft(Map<String, String> sent, boolean enabled) {
    Set<EventType> events = EnumSet.noneOf(EventType.class);
    for (EventType type : EventType.values()) {
      if (sent.containsKey(EVENT + type.word())) {
        events.add(type);
      }
    }
    return new WebhookDraft(
        sent.getOrDefault("name", ""),
        sent.getOrDefault("url", "").strip(),
        sent.containsKey(PRIVATE),
        events,
        List.of(sent.getOrDefault("agents", "").strip().split("[\\s,]+")),
        enabled);
  }

  /**
   * @throws Problem again, if it is none of the form's
   */
  static RefusedForm refused(Map<String, String> sent, Problem problem) {
    String field =
        switch (problem.code()) {
          case "webhook_name_taken" -> "name";
          case "webhook_invalid", "webhook_url_refused", "agent_unknown" ->
              String.valueOf(problem.extras().getOrDefault("pointer", "/")).substring(1);
          case "webhooks_too_many" -> "";
          default -> throw problem;
        };
    Map<String, String> typed = new java.util.HashMap<>(sent);
    typed.remove("secret");
    return new RefusedForm(
        FORM,
        typed,
        List.of(new FieldError(field.isEmpty() ? "" : "webhook-" + field, problem.sentence())));
  }

  private static WebhookForm form(
      RefusedForm refused,
      String name,
      String url,
      String agents,
      boolean allowPrivate,
      Set<EventType> events,
      boolean secret) {
    boolean again = refused.is(FORM);
    List<WebhookForm.Event> choices = new ArrayList<>();
    Arrays.stream(EventType.values())
        .map(type ->
            new WebhookForm.Event(
                type.word(),
                type.meaning(),
                again ? refused.typed().containsKey(EVENT + type.word()) : events.contains(type)))
        .forEach(choices::add);
    return new WebhookForm(
        again,
        field(refused, "name", "Name", "For people: where it goes, such as chat.", name),
        field(
            refused,
            "url",
            "Address",
            "Begins with https://. Whoever may look at the settings sees it, so put no key into it.",
            url),
        field(
            refused,
            "agents",
            "Agents",
            "Slugs, with blanks between them. If empty, runs of all agents are told of.",
            agents),
        secret
            ? field(
                refused,
                "secret",
                "Signing secret",
                "whsec_ and base64. If empty, Mesh makes one and shows it once.",
                "")
            : new Field("", "", "", "", "", ""),
        choices,
        refused.error("webhook-events"),
        again ? refused.typed().containsKey(PRIVATE) : allowPrivate);
  }

  private static Field field(
      RefusedForm refused, String name, String label, String hint, String value) {
    String id = "webhook-" + name;
    String typed = refused.is(FORM) ? refused.typed(name, "") : VisibleText.line(value);
    return new Field(id, name, label, hint, typed, refused.error(id));
  }
}
