package mesh.webhook;

import java.util.Locale;

/** Whether a webhook is told anything. */
public enum WebhookState {
  ACTIVE,
  /** A person turned it off: what happens meanwhile is not kept for it. */
  DISABLED,
  /** It failed for days: what happens is kept for it, and delivered once a person turns it on. */
  PAUSED,
  /** The receiver said that it is no more: nothing is kept for it. */
  GONE;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static WebhookState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
