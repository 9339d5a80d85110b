package mesh.history;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** From a moment up to another. */
record Span(Instant from, Instant until) {

  boolean overlaps(Span other) {
    return from.isBefore(other.until) && other.from.isBefore(until);
  }

  boolean contains(Instant at) {
    return !at.isBefore(from) && at.isBefore(until);
  }

  Duration length() {
    return Duration.between(from, until);
  }

  /** What is left of it. */
  List<Span> without(List<Span> others) {
    var left = new ArrayList<Span>();
    var begin = from;
    for (var other : union(others)) {
      if (other.overlaps(this)) {
        if (begin.isBefore(other.from)) {
          left.add(new Span(begin, other.from));
        }
        begin = other.until;
      }
    }
    if (begin.isBefore(until)) {
      left.add(new Span(begin, until));
    }
    return left;
  }

  /** The same time without overlaps, in order. */
  static List<Span> union(List<Span> spans) {
    var union = new ArrayList<Span>();
    for (var span : spans.stream().sorted(Comparator.comparing(Span::from)).toList()) {
      var last = union.isEmpty() ? null : union.getLast();
      if (last == null || span.from.isAfter(last.until)) {
        union.add(span);
      } else if (span.until.isAfter(last.until)) {
        union.set(union.size() - 1, new Span(last.from, span.until));
      }
    }
    return union;
  }
}
