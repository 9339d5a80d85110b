package mesh.dashboard.view;

import java.util.List;

/**
 * One receiver and the log of what it was told.
 *
 * @param address of the page
 * @param secret shown this once; empty on all other pages
 * @param remark what is wrong with it; empty if nothing
 * @param enabled whether anything is sent
 * @param statuses to narrow the log to one
 * @param older address of the next part of the log; empty if there is none
 * @param newest address of its first part; empty if this is it
 */
public record WebhookPage(
    Shell shell,
    List<Banner> said,
    List<FieldError> errors,
    boolean mayChange,
    String name,
    String address,
    String secret,
    Badge state,
    String remark,
    boolean enabled,
    List<Fact> facts,
    WebhookForm form,
    List<Option> statuses,
    boolean filtered,
    List<Delivery> deliveries,
    String older,
    String newest) {

  public WebhookPage {
    said = List.copyOf(said);
    errors = List.copyOf(errors);
    facts = List.copyOf(facts);
    statuses = List.copyOf(statuses);
    deliveries = List.copyOf(deliveries);
  }

  /**
   * Something told, or to be told.
   *
   * @param answer the receiver's status code; empty if there was none
   * @param error why it was not taken; empty if it was
   * @param next when it will be tried again, in words; empty if it will not
   * @param mayRedeliver whether it can be told once more
   */
  public record Delivery(
      String id,
      String event,
      String run,
      String runShort,
      Badge status,
      String answer,
      String error,
      int attempts,
      String next,
      When at,
      String payload,
      boolean mayRedeliver) {}

  @Override
  public String toString() {
    return "WebhookPage[" + address + "]";
  }
}
