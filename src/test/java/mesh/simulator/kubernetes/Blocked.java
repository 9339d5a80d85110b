package mesh.simulator.kubernetes;

/** A container cannot be made yet, for a reason its status tells. */
final class Blocked extends Exception {

  private static final long serialVersionUID = 1;

  private final String reason;

  Blocked(String reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }

  String message() {
    return String.valueOf(getMessage());
  }
}
