package mesh.dashboard;

import java.util.Optional;
import mesh.web.Cursor;
import mesh.webhook.DeliveryStatus;
import org.springframework.web.util.UriComponentsBuilder;

/** What part of a log is asked for. */
record WebhookQuery(Optional<DeliveryStatus> status, Optional<Cursor> cursor) {

  static final WebhookQuery ALL = new WebhookQuery(Optional.empty(), Optional.empty());

  /**
   * @param page the address of the webhook
   */
  String newest(String page) {
    return address(page).encode().build().toUriString();
  }

  String from(String page, Cursor start) {
    return address(page).queryParam("cursor", start.toString()).encode().build().toUriString();
  }

  private UriComponentsBuilder address(String page) {
    var address = UriComponentsBuilder.fromPath(page);
    status.ifPresent(it -> address.queryParam("status", it.word()));
    return address;
  }
}
