package mesh.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import mesh.secret.Secret;

/**
 * Redacts a fixed set of secrets: every longest run of bytes that occurrences of them cover,
 * overlapping ones too, becomes one marker. Costs one pass, whatever the number of secrets, and
 * time in proportion to the bytes, whatever they are.
 *
 * <pre>{@code
 * Redactions redactions = SecretSet.of(List.of(token, password));
 * Redactions.Stream stream = redactions.open(sink);
 * }</pre>
 */
public final class SecretSet implements Redactions {

  private final Automaton automaton;
  private final byte[] marker;

  private SecretSet(Automaton automaton, byte[] marker) {
    this.automaton = automaton;
    this.marker = marker;
  }

  /**
   * Finds the secrets as they are and, as best effort, as JSON, URLs, Base64 and single lines show
   * them, if they are long enough for that. An empty secret is ignored.
   */
  public static Redactions of(Collection<Secret> secrets) {
    return of(secrets, true);
  }

  /** Finds the secrets only as they are, also without line end and with those of terminals. */
  public static Redactions exactly(Collection<Secret> secrets) {
    return of(secrets, false);
  }

  private static Redactions of(Collection<Secret> secrets, boolean derived) {
    var forms = new LinkedHashSet<String>();
    for (var secret : secrets) {
      Forms.addExact(secret.reveal(), forms);
      if (derived) {
        Forms.addDerived(secret.reveal(), forms);
      }
    }
    forms.remove("");
    if (forms.isEmpty()) {
      return NONE;
    }
    var needles = forms.stream().map(form -> form.getBytes(UTF_8)).toList();
    return of(needles, Automaton.of(needles));
  }

  static SecretSet of(Collection<byte[]> needles, Automaton automaton) {
    return new SecretSet(automaton, Marker.choose(needles).getBytes(UTF_8));
  }

  @Override
  public String marker() {
    return new String(marker, UTF_8);
  }

  @Override
  public RedactingStream open(Bytes out) {
    return new RedactingStream(automaton, marker, out);
  }

  @Override
  public String apply(String text) {
    var bytes = text.getBytes(UTF_8);
    var window = window(bytes, 0, bytes.length);
    return window.count() == 0 ? text : new String(window.bytes(), UTF_8);
  }

  @Override
  public Window window(byte[] content, int from, int to) {
    var coverage = cover(content).coverage;
    if (!coverage.beginsBefore(to)) {
      return new Window(Arrays.copyOfRange(content, from, to), 0);
    }
    var bytes = new ByteArrayOutputStream(to - from + marker.length);
    var count = 0;
    var at = from;
    for (; coverage.beginsBefore(to); coverage.removeFirst()) {
      if (coverage.finish() > from) {
        var begin = Math.max(at, (int) coverage.begin());
        bytes.write(content, at, begin - at);
        bytes.writeBytes(marker);
        count++;
        at = (int) Math.min(to, coverage.finish());
      }
    }
    bytes.write(content, at, to - at);
    return new Window(bytes.toByteArray(), count);
  }

  @Override
  public int settled(byte[] content) {
    return content.length - automaton.depth(cover(content).state);
  }

  private Scan cover(byte[] content) {
    var scan = new Scan();
    for (var i = 0; i < content.length; ) {
      i = automaton.scan(content, i, content.length, scan);
      if (scan.coverage.isFull()) {
        scan.coverage.makeRoom();
      }
    }
    return scan;
  }

  @Override
  public int margin() {
    return automaton.longestNeedle() - 1;
  }

  /** How many bytes of memory it takes. */
  public long size() {
    return automaton.size();
  }
}
