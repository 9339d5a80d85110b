package mesh.web;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something a caller of an HTTP interface did wrong or cannot have, told so that a person or an
 * agent can act on it. Answered as {@code application/problem+json} by {@link ProblemAdvice}.
 *
 * <pre>{@code
 * throw Problem.conflict("runtime_not_enabled", "Runtime sprites is not enabled: enable it under Settings.");
 * }</pre>
 */
public final class Problem extends RuntimeException {

  private final int status;
  private final String code;
  private final Map<String, Object> extras = new LinkedHashMap<>();

  private Problem(int status, String code, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
    this.code = code;
  }

  /**
   * @param code stable, lower snake case: scripts branch on it
   * @param sentence what happened and what to do; never a secret
   */
  public static Problem of(int status, String code, String sentence) {
    return new Problem(status, code, sentence);
  }

  public static Problem badRequest(String code, String sentence) {
    return of(400, code, sentence);
  }

  public static Problem unauthorized(String code, String sentence) {
    return of(401, code, sentence);
  }

  public static Problem forbidden(String code, String sentence) {
    return of(403, code, sentence);
  }

  public static Problem notFound(String code, String sentence) {
    return of(404, code, sentence);
  }

  public static Problem conflict(String code, String sentence) {
    return of(409, code, sentence);
  }

  /** Adds a member to the answer, such as the JSON pointer of a bad argument. */
  public Problem with(String member, Object value) {
    extras.put(member, value);
    return this;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }

  public Map<String, Object> extras() {
    return Map.copyOf(extras);
  }
}
