package mesh.dashboard.output;

import java.util.List;

/** One line of a terminal. */
public record Row(List<Span> spans) {

  public Row {
    spans = List.copyOf(spans);
  }

  /** The line without its styles. */
  public String text() {
    StringBuilder text = new StringBuilder();
    spans.forEach(span -> text.append(span.text()));
    return text.toString();
  }
}
