package mesh.dashboard.view;

import java.util.List;

/** The receivers that are told of runs, and the form that adds one. */
public record WebhooksPage(
    Shell shell,
    List<Banner> said,
    List<FieldError> errors,
    boolean mayChange,
    List<Line> webhooks,
    WebhookForm form) {

  public WebhooksPage {
    said = List.copyOf(said);
    errors = List.copyOf(errors);
    webhooks = List.copyOf(webhooks);
  }

  /**
   * A receiver.
   *
   * @param remark what is wrong with it; empty if nothing
   */
  public record Line(
      String name,
      String address,
      String url,
      String events,
      String agents,
      Badge state,
      String remark) {}
}
