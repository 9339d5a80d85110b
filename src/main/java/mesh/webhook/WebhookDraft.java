package mesh.webhook;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import mesh.web.Problem;

/**
 * What people decide about a webhook, checked as far as that needs nobody else.
 *
 * @param url checked against the network by {@link Webhooks}
 * @param events at least one
 * @param agents slugs; empty for all
 */
public record WebhookDraft(
    String name,
    String url,
    boolean allowPrivate,
    Set<EventType> events,
    List<String> agents,
    boolean enabled) {

  private static final int LONGEST_NAME = 80;
  private static final int MOST_AGENTS = 100;

  /**
   * @throws Problem 400 {@code webhook_invalid}
   */
  public WebhookDraft {
    name = name.strip();
    if (name.isEmpty()
        || name.length() > LONGEST_NAME
        || name.chars().anyMatch(Character::isISOControl)) {
      throw invalid("name", "must be 1 to %d characters on one line".formatted(LONGEST_NAME));
    }
    if (events.isEmpty()) {
      throw invalid(
          "events",
          "must name one at least of run.created, run.notice, run.awaiting_input, run.ended");
    }
    events = Set.copyOf(EnumSet.copyOf(events));
    agents = agents.stream().map(String::strip).filter(slug -> !slug.isEmpty()).distinct().toList();
    if (agents.size() > MOST_AGENTS) {
      throw invalid("agents", "must name at most %d agents".formatted(MOST_AGENTS));
    }
  }

  /** In the order of their declaration, for rows and answers. */
  List<String> eventWords() {
    return events.stream().sorted().map(EventType::word).toList();
  }

  static Problem invalid(String field, String rule) {
    return Problem.badRequest("webhook_invalid", "Field %s %s.".formatted(field, rule))
        .with("pointer", "/" + field);
  }
}
