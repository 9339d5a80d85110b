package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.WebhookPage;
import mesh.dashboard.view.WebhooksPage;
import mesh.dashboard.view.When;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.webhook.DeliveryStatus;
import mesh.webhook.EventType;
import mesh.webhook.LoggedDelivery;
import mesh.webhook.Webhook;
import mesh.webhook.WebhookState;
import mesh.webhook.Webhooks;
import org.springframework.stereotype.Component;

/** Puts the pages about webhooks together. */
@Component
class WebhooksPages {

  static final String ADDRESS = "/settings/webhooks";

  private static final Limit ROWS = new Limit(50);

  private final Frames frames;
  private final Webhooks webhooks;
  private final InstantSource clock;

  WebhooksPages(Frames frames, Webhooks webhooks, InstantSource clock) {
    this.frames = frames;
    this.webhooks = webhooks;
    this.clock = clock;
  }

  WebhooksPage all(HttpServletRequest request, Operator operator, RefusedForm refused) {
    return new WebhooksPage(
        frames.shell(request, operator, "webhooks").at(ADDRESS),
        Said.to(request),
        refused.errors(),
        operator.role().covers(Role.ADMIN),
        webhooks.all().stream().map(WebhooksPages::line).toList(),
        WebhookFields.empty(refused));
  }

  /**
   * @param secret to be shown this once; empty for none
   */
  WebhookPage one(
      HttpServletRequest request,
      Operator operator,
      Webhook webhook,
      WebhookQuery query,
      String secret,
      RefusedForm refused) {
    String address = address(webhook);
    var part =
        webhooks.deliveries(
            webhook.id(), query.status().orElse(null), query.cursor().orElse(null), ROWS);
    Instant now = clock.instant();
    boolean mayChange = operator.role().covers(Role.ADMIN);
    return new WebhookPage(
        frames.shell(request, operator, "webhooks").at(query.newest(address)),
        Said.to(request),
        refused.errors(),
        mayChange,
        VisibleText.line(webhook.name()),
        address,
        secret,
        state(webhook),
        remark(webhook),
        webhook.state() == WebhookState.ACTIVE,
        facts(webhook, now),
        WebhookFields.of(webhook, refused),
        statuses(query),
        query.status().isPresent(),
        part.rows().stream().map(it -> delivery(it, webhook, now, mayChange)).toList(),
        part.next().map((Cursor next) -> query.from(address, next)).orElse(""),
        query.cursor().isPresent() ? query.newest(address) : "");
  }

  static String address(Webhook webhook) {
    return ADDRESS + "/" + webhook.id();
  }

  private static WebhooksPage.Line line(Webhook webhook) {
    return new WebhooksPage.Line(
        VisibleText.line(webhook.name()),
        address(webhook),
        VisibleText.line(webhook.url()),
        events(webhook),
        agents(webhook),
        state(webhook),
        remark(webhook));
  }

  private static String events(Webhook webhook) {
    return webhook.events().stream().map(EventType::word).collect(Collectors.joining(", "));
  }

  private static String agents(Webhook webhook) {
    return webhook.agents().isEmpty() ? "All" : String.join(", ", webhook.agents());
  }

  private static Badge state(Webhook webhook) {
    return switch (webhook.state()) {
      case ACTIVE ->
          webhook.failingSince() == null
              ? new Badge(Mark.GOOD, "Enabled")
              : new Badge(Mark.ATTENTION, "Failing");
      case DISABLED -> new Badge(Mark.QUIET, "Disabled");
      case PAUSED -> new Badge(Mark.BAD, "Paused");
      case GONE -> new Badge(Mark.BAD, "Gone");
    };
  }

  private static String remark(Webhook webhook) {
    if (webhook.stateReason() != null) {
      return VisibleText.line(webhook.stateReason());
    }
    return webhook.failingSince() == null
        ? ""
        : "Nothing was delivered since %s. Mesh goes on trying."
            .formatted(When.of(webhook.failingSince(), webhook.failingSince()).exact());
  }

  private static List<Fact> facts(Webhook webhook, Instant now) {
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            "Address",
            VisibleText.line(webhook.url()),
            webhook.allowPrivate() ? "Private addresses are allowed." : "",
            true));
    facts.add(Fact.of("Events", events(webhook)));
    facts.add(Fact.of("Agents", agents(webhook)));
    Instant both = webhook.previousSecretUntil();
    facts.add(
        new Fact(
            "Secret set",
            When.of(webhook.secretSetAt(), now).spoken(),
            both != null && both.isAfter(now)
                ? "The one before counts too until " + When.of(both, now).exact()
                : "",
            false));
    facts.add(
        Fact.of(
            "Added",
            When.of(webhook.createdAt(), now).spoken()
                + " by "
                + VisibleText.line(webhook.createdBy())));
    return facts;
  }

  private static List<Option> statuses(WebhookQuery query) {
    return Arrays.stream(DeliveryStatus.values())
        .map(it -> new Option(it.word(), word(it), query.status().filter(it::equals).isPresent()))
        .toList();
  }

  private static String word(DeliveryStatus status) {
    return switch (status) {
      case PENDING -> "Waiting";
      case FAILED -> "Failed";
      case DELIVERED -> "Delivered";
      case GIVEN_UP -> "Given up";
    };
  }

  private static Mark mark(DeliveryStatus status) {
    return switch (status) {
      case PENDING -> Mark.ACTIVE;
      case FAILED -> Mark.ATTENTION;
      case DELIVERED -> Mark.GOOD;
      case GIVEN_UP -> Mark.BAD;
    };
  }

  private static WebhookPage.Delivery delivery(
      LoggedDelivery it, Webhook webhook, Instant now, boolean mayChange) {
    boolean active = webhook.state() == WebhookState.ACTIVE;
    return new WebhookPage.Delivery(
        it.id().toString(),
        it.event(),
        it.run().toString(),
        it.run().toString().substring(24),
        new Badge(mark(it.status()), word(it.status())),
        it.lastStatus() == null ? "" : Integer.toString(it.lastStatus()),
        it.lastError() == null ? "" : VisibleText.line(it.lastError()),
        it.attempts(),
        next(it.nextAttemptAt(), active, now),
        When.of(it.createdAt(), now),
        VisibleText.block(it.payload()),
        mayChange && active);
  }

  private static String next(
      @org.jspecify.annotations.Nullable Instant next, boolean active, Instant now) {
    if (next == null) {
      return "";
    }
    if (!active) {
      return "once enabled";
    }
    Duration wait = Duration.between(now, next);
    return wait.isPositive() ? "in " + Spoken.duration(wait) : "now";
  }
}
