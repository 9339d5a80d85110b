package mesh.redaction;

import java.nio.ByteBuffer;

/**
 * One stream. Every byte before the beginning of a possible match is passed on at once, as a piece
 * of the array it came in; only the bytes that may be the beginning of a secret are copied and
 * held, never more than the longest secret has.
 */
final class RedactingStream implements Redactions.Stream {

  /** A shorter beginning of a secret tells nothing. */
  private static final int TELLING_PREFIX = 8;

  private static final int BLOCK = 16 << 10;

  private final Automaton automaton;
  private final byte[] marker;
  private final Outlet outlet;
  private final Scan scan = new Scan();

  /** Its last bytes before {@link #heldEnd} are the stream's last before {@link #position}. */
  private byte[] held = new byte[0];

  private int heldEnd;

  /** Of the stream: where the bytes begin that are being written. */
  private long position;

  /** Of the stream: how far it has been passed on. */
  private long passedOn;

  private boolean afterMarker;
  private long count;
  private byte[] block = new byte[0];

  /**
   * @param marker is not changed
   */
  RedactingStream(Automaton automaton, byte[] marker, Redactions.Bytes out) {
    this.automaton = automaton;
    this.marker = marker;
    outlet = new Outlet(out);
  }

  @Override
  public void write(ByteBuffer bytes) {
    if (bytes.hasArray()) {
      var from = bytes.arrayOffset() + bytes.position();
      take(bytes.array(), from, from + bytes.remaining());
    } else {
      if (block.length == 0) {
        block = new byte[BLOCK];
      }
      var end = bytes.limit();
      for (var at = bytes.position(); at < end; at += BLOCK) {
        var length = Math.min(BLOCK, end - at);
        bytes.get(at, block, 0, length);
        take(block, 0, length);
      }
    }
    bytes.position(bytes.limit());
  }

  private void take(byte[] bytes, int from, int to) {
    scan.origin(position - from);
    var limit = passedOn;
    for (var i = from; i < to; ) {
      i = automaton.scan(bytes, i, to, scan);
      limit = position + (i - from) - automaton.depth(scan.state);
      passOn(limit, bytes, from);
      if (scan.coverage.isFull()) {
        scan.coverage.makeRoom();
      }
    }
    hold(limit, bytes, from, to);
    position += to - from;
    outlet.flush();
  }

  /** No later match begins before the limit: what is before it can be written. */
  private void passOn(long limit, byte[] bytes, int from) {
    var coverage = scan.coverage;
    while (coverage.beginsBefore(limit)) {
      passOnBytes(coverage.begin(), bytes, from);
      if (!afterMarker) {
        outlet.write(marker, 0, marker.length);
        count++;
        afterMarker = true;
      }
      // A run that goes on behind the limit is not held: it may be endless. Its marker is written.
      passedOn = Math.min(coverage.finish(), limit);
      if (coverage.finish() > limit) {
        coverage.trimFirst(limit);
      } else {
        coverage.removeFirst();
      }
    }
    passOnBytes(limit, bytes, from);
  }

  private void passOnBytes(long to, byte[] bytes, int from) {
    if (passedOn == to) {
      return;
    }
    if (passedOn < position) {
      var end = Math.min(to, position);
      outlet.write(held, heldEnd - (int) (position - passedOn), heldEnd - (int) (position - end));
    }
    if (to > position) {
      var begin = Math.max(passedOn, position);
      outlet.write(bytes, from + (int) (begin - position), from + (int) (to - position));
    }
    passedOn = to;
    afterMarker = false;
  }

  /** Keeps what is behind the limit. */
  private void hold(long limit, byte[] bytes, int from, int to) {
    var again = (int) Math.max(0, position - limit);
    var fresh = to - from - (int) Math.max(0, limit - position);
    if (again == 0) {
      heldEnd = 0;
    }
    if (heldEnd + fresh > held.length) {
      makeRoom(again, fresh);
    }
    System.arraycopy(bytes, to - fresh, held, heldEnd, fresh);
    heldEnd += fresh;
  }

  /** Twice the room, so that bytes are moved but once for as many that come. */
  private void makeRoom(int again, int fresh) {
    var before = held;
    if (2 * (again + fresh) > held.length) {
      held = new byte[3 * (again + fresh) + 64];
    }
    System.arraycopy(before, heldEnd - again, held, 0, again);
    heldEnd = again;
    scan.steps += again;
  }

  @Override
  public void end() {
    passOn(position, held, heldEnd);
    outlet.flush();
    scan.state = 0;
  }

  @Override
  public void cut() {
    var depth = automaton.depth(scan.state);
    if (depth >= TELLING_PREFIX && passedOn < position) {
      scan.coverage.add(position - depth, position);
    }
    end();
  }

  @Override
  public long count() {
    return count;
  }

  /** How many bytes are held. */
  int held() {
    return (int) (position - passedOn);
  }

  /** The work done so far. */
  long steps() {
    return scan.steps;
  }
}
