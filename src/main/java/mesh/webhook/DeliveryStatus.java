package mesh.webhook;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What became of a delivery so far. */
public enum DeliveryStatus {
  /** Not yet tried. */
  PENDING,
  /** Tried, and will be again. */
  FAILED,
  DELIVERED,
  /** Tried often enough, or the receiver is gone. */
  GIVEN_UP;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reverse of {@link #word()}; empty for what is none. */
  public static Optional<DeliveryStatus> of(String word) {
    return Arrays.stream(values()).filter(status -> status.word().equals(word)).findFirst();
  }
}
