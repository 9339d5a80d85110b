package mesh.web;

import java.io.IOException;

/** A body went over what its address takes while it was read. */
final class BodyTooLarge extends IOException {

  private final int limit;

  BodyTooLarge(int limit) {
    super("body over " + limit + " bytes");
    this.limit = limit;
  }

  Problem problem() {
    return Problem.of(
            413,
            "body_too_large",
            "The body is larger than the %d bytes this address takes.".formatted(limit))
        .with("limit_bytes", limit);
  }
}
