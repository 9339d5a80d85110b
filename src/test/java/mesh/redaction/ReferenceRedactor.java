package mesh.redaction;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * The plain form of the algorithm, to measure by: one table of {@code int}, a second load for each
 * byte to see whether a needle ends, no skipping but of bytes that begin no needle.
 */
public final class ReferenceRedactor {

  private final Table table;
  private final OutputStream out;
  private final byte[] marker;
  private int state;
  private byte[] hold = new byte[0];
  private int held;
  private long position;
  private long[] from = new long[16];
  private long[] to = new long[16];
  private int parts;
  private boolean afterMarker;

  public ReferenceRedactor(Table table, OutputStream out, byte[] marker) {
    this.table = table;
    this.out = out;
    this.marker = marker;
  }

  public void write(byte[] bytes, int offset, int length) throws IOException {
    var next = table.next;
    var longest = table.longest;
    var classes = table.classes;
    var starts = table.starts;
    var columns = table.columns;
    var s = state;
    var i = offset;
    var end = offset + length;
    var base = position - offset;
    while (i < end) {
      if (s == 0) {
        while (i < end && !starts[bytes[i] & 255]) {
          i++;
        }
        if (i == end) {
          break;
        }
      }
      s = next[s * columns + (classes[bytes[i] & 255] & 0xff)];
      i++;
      var match = longest[s];
      if (match != 0) {
        add(base + i - match, base + i);
      }
    }
    state = s;
    var begin = position - held;
    position += length;
    var limit = position - table.depth[s];
    emit(begin, bytes, offset, limit);
    keep((int) (position - Math.max(limit, begin)), bytes, offset, length);
  }

  private void keep(int kept, byte[] bytes, int offset, int length) {
    var target = hold.length >= kept ? hold : new byte[Math.max(kept, 64)];
    if (kept <= length) {
      System.arraycopy(bytes, offset + length - kept, target, 0, kept);
    } else {
      var again = kept - length;
      System.arraycopy(hold, held - again, target, 0, again);
      System.arraycopy(bytes, offset, target, again, length);
    }
    hold = target;
    held = kept;
  }

  private void add(long begin, long end) {
    var start = begin;
    while (parts > 0 && to[parts - 1] >= start) {
      start = Math.min(start, from[parts - 1]);
      parts--;
    }
    if (parts == from.length) {
      from = Arrays.copyOf(from, parts * 2);
      to = Arrays.copyOf(to, parts * 2);
    }
    from[parts] = start;
    to[parts++] = end;
  }

  private void emit(long begin, byte[] bytes, int offset, long limit) throws IOException {
    var at = begin;
    var done = 0;
    for (; done < parts && from[done] < limit; done++) {
      if (from[done] > at) {
        raw(begin, bytes, offset, at, from[done]);
        afterMarker = false;
      }
      if (!(afterMarker && from[done] == at)) {
        out.write(marker, 0, marker.length);
      }
      afterMarker = true;
      if (to[done] > limit) {
        from[done] = limit;
        at = limit;
        break;
      }
      at = to[done];
    }
    if (done > 0) {
      System.arraycopy(from, done, from, 0, parts - done);
      System.arraycopy(to, done, to, 0, parts - done);
      parts -= done;
    }
    if (at < limit) {
      raw(begin, bytes, offset, at, limit);
      afterMarker = false;
    }
  }

  private void raw(long begin, byte[] bytes, int offset, long first, long end) throws IOException {
    var split = begin + held;
    var at = first;
    if (at < split) {
      var x = (int) (at - begin);
      var y = (int) (Math.min(end, split) - begin);
      out.write(hold, x, y - x);
      at = Math.min(end, split);
    }
    if (at < end) {
      out.write(bytes, offset + (int) (at - split), (int) (end - at));
    }
  }

  public void close() throws IOException {
    emit(position - held, new byte[0], 0, position);
    held = 0;
    state = 0;
    parts = 0;
  }

  /** The compiled needles. */
  public static final class Table {

    private final byte[] classes = new byte[256];
    private final boolean[] starts = new boolean[256];
    private final int columns;
    private final int[] next;
    private final int[] depth;
    private final int[] longest;

    public Table(List<byte[]> needles) {
      var used = new boolean[256];
      var total = 1;
      for (var needle : needles) {
        total += needle.length;
        for (var value : needle) {
          used[value & 255] = true;
        }
      }
      var c = 1;
      for (var i = 0; i < 256; i++) {
        if (used[i]) {
          classes[i] = (byte) c++;
        }
      }
      columns = c;
      var rows = new int[total * columns];
      Arrays.fill(rows, -1);
      var depths = new int[total];
      var ends = new int[total];
      var states = 1;
      for (var needle : needles) {
        var q = 0;
        for (var value : needle) {
          var cell = q * columns + (classes[value & 255] & 0xff);
          if (rows[cell] < 0) {
            rows[cell] = states;
            depths[states++] = depths[q] + 1;
          }
          q = rows[cell];
        }
        ends[q] = needle.length;
        starts[needle[0] & 255] = true;
      }
      link(rows, ends, new int[states]);
      next = Arrays.copyOf(rows, states * columns);
      depth = Arrays.copyOf(depths, states);
      longest = Arrays.copyOf(ends, states);
    }

    private void link(int[] rows, int[] ends, int[] links) {
      var queue = new ArrayDeque<Integer>();
      for (var i = 0; i < columns; i++) {
        if (rows[i] < 0) {
          rows[i] = 0;
        } else {
          queue.add(rows[i]);
        }
      }
      while (!queue.isEmpty()) {
        int q = queue.poll();
        if (ends[q] == 0) {
          ends[q] = ends[links[q]];
        }
        for (var i = 0; i < columns; i++) {
          var child = rows[q * columns + i];
          var other = rows[links[q] * columns + i];
          if (child < 0) {
            rows[q * columns + i] = other;
          } else {
            links[child] = other;
            queue.add(child);
          }
        }
      }
    }

    public long size() {
      return 4L * (next.length + depth.length + longest.length);
    }
  }
}
