package mesh.inference;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A service gave no reply to one request. Its message is for people and has the key cut out, in
 * case a service repeats it; for the same reason no exception of another library is its cause.
 */
final class Trouble extends Exception {

  private static final int LONGEST_TEXT = 400;

  /** What happened. */
  enum Kind {
    /** It answered with an error, at once or in the middle of a stream. */
    ANSWERED,
    /** There was no connection. */
    UNREACHABLE,
    /** It was connected, and said nothing for too long. */
    SILENT,
    /** It broke off in the middle of a reply. */
    CUT,
    /** It said what its protocol does not know. */
    GARBLED,
    /** Mesh does not connect there, or not like that. */
    NOT_ASKED
  }

  private final Kind kind;
  private final int status;
  private final String code;
  private final String parameter;
  private final @Nullable Duration after;
  private final @Nullable Boolean again;

  private Trouble(
      Kind kind,
      int status,
      String code,
      String parameter,
      String text,
      @Nullable Duration after,
      @Nullable Boolean again) {
    super(text);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.parameter = parameter;
    this.after = after;
    this.again = again;
  }

  static Trouble of(Kind kind, Connection connection, String text) {
    return new Trouble(kind, 0, "", "", clean(text, connection), null, null);
  }

  /**
   * @param status of HTTP, or the one that would fit an error in the middle of a stream
   * @param code the service's own words for it, its code and its type; may be empty
   * @param parameter which field of the request it complains of; may be empty
   * @param after how long it wants not to be asked; null if it does not say
   * @param again whether it wants to be asked again; null if it does not say
   */
  static Trouble answered(
      Connection connection,
      int status,
      String code,
      String parameter,
      String text,
      @Nullable Duration after,
      @Nullable Boolean again) {
    return new Trouble(
        Kind.ANSWERED, status, code, parameter, clean(text, connection), after, again);
  }

  Kind kind() {
    return kind;
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  String parameter() {
    return parameter;
  }

  String text() {
    return String.valueOf(getMessage());
  }

  @Nullable Duration after() {
    return after;
  }

  @Nullable Boolean again() {
    return again;
  }

  /** On one line, without the key, and no longer than somebody reads. */
  private static String clean(String text, Connection connection) {
    var key = connection.key();
    var safe = text;
    if (key != null && !key.reveal().isBlank()) {
      safe = safe.replace(key.reveal().strip(), "[secret]");
    }
    safe = WellFormed.text(safe).replaceAll("\\s+", " ").strip();
    return safe.length() > LONGEST_TEXT ? WellFormed.cut(safe, LONGEST_TEXT) + "…" : safe;
  }
}
