package mesh.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list, and where the next begins if there is one.
 *
 * <pre>{@code
 * return Page.of(repository.newest(limit.toFetch(), …), limit, run -> Cursor.after(run.createdAt(), run.id()))
 *     .map(RunAnswer::of)
 *     .json("runs");
 * }</pre>
 */
public final class Page<T> {

  private final List<T> rows;
  private final Optional<Cursor> next;

  private Page(List<T> rows, Optional<Cursor> next) {
    this.rows = List.copyOf(rows);
    this.next = next;
  }

  /**
   * @param fetched up to {@link Limit#toFetch()} rows
   * @param cursor of a row, so that the next page begins after it
   */
  public static <T> Page<T> of(List<T> fetched, Limit limit, Function<T, Cursor> cursor) {
    if (fetched.size() <= limit.rows()) {
      return new Page<>(fetched, Optional.empty());
    }
    List<T> rows = fetched.subList(0, limit.rows());
    return new Page<>(rows, Optional.of(cursor.apply(rows.getLast())));
  }

  public List<T> rows() {
    return rows;
  }

  public Optional<Cursor> next() {
    return next;
  }

  public <R> Page<R> map(Function<T, R> each) {
    return new Page<>(rows.stream().map(each).toList(), next);
  }

  /** The shape of every list: {@code {"<plural>":[…],"next":null|"cursor"}}. */
  public Map<String, @Nullable Object> json(String plural) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put(plural, rows);
    answer.put("next", next.map(Cursor::toString).orElse(null));
    return answer;
  }
}
