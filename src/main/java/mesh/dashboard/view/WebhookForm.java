package mesh.dashboard.view;

import java.util.List;

/**
 * What people decide about a webhook.
 *
 * @param open whether the form is unfolded
 * @param secret empty label for a form that does not ask for one
 */
public record WebhookForm(
    boolean open,
    Field name,
    Field url,
    Field agents,
    Field secret,
    List<Event> events,
    String eventsError,
    boolean allowPrivate) {

  public WebhookForm {
    events = List.copyOf(events);
  }

  /** Something to be told of. */
  public record Event(String value, String meaning, boolean chosen) {}
}
