package mesh.web;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;

/**
 * Where the next page of a list begins: after the row that has this time and id. Opaque to callers.
 *
 * <p>A controller takes {@code @RequestParam(required = false) @Nullable Cursor cursor}; the
 * repository asks {@code where (created_at, id) < (:at, :id)}.
 *
 * @param id a UUID or a number as text; see {@link #uuid()} and {@link #number()}
 */
public record Cursor(Instant at, String id) {

  private static final int LONGEST = 200;

  public static Cursor after(Instant at, UUID id) {
    return new Cursor(at, id.toString());
  }

  public static Cursor after(Instant at, long id) {
    return new Cursor(at, Long.toString(id));
  }

  /**
   * Reads what {@link #toString} wrote. Spring MVC finds it by its name.
   *
   * @throws Problem 400 {@code cursor_invalid}
   */
  public static Cursor valueOf(String text) {
    if (text.length() > LONGEST) {
      throw invalid();
    }
    try {
      String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII);
      int dot = plain.indexOf('.');
      if (dot < 1 || dot == plain.length() - 1) {
        throw invalid();
      }
      long micros = Long.parseLong(plain.substring(0, dot));
      return new Cursor(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), plain.substring(dot + 1));
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw invalid();
    }
  }

  /**
   * @throws Problem 400 {@code cursor_invalid} when the cursor is of another list
   */
  public UUID uuid() {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  /**
   * @throws Problem 400 {@code cursor_invalid} when the cursor is of another list
   */
  public long number() {
    try {
      return Long.parseLong(id);
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  /** What callers are given; microseconds, as exact as the database's times. */
  @Override
  public String toString() {
    String plain = ChronoUnit.MICROS.between(Instant.EPOCH, at) + "." + id;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.US_ASCII));
  }

  private static Problem invalid() {
    return Problem.badRequest(
        "cursor_invalid", "Parameter cursor is not one that a list gave as next.");
  }
}
