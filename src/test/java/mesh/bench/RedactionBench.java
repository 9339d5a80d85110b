package mesh.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import mesh.redaction.Redactions;
import mesh.redaction.ReferenceRedactor;
import mesh.redaction.SecretSet;
import mesh.secret.Secret;

/**
 * What redaction costs: MB/s through it, beside a plain copy to the same sink and beside the plain
 * form of the algorithm, turn by turn in one JVM, the best of some rounds; and what it takes to
 * compile a set.
 */
final class RedactionBench {

  private static final int ROUNDS = 7;
  private static final int TEXT = 32 << 20;
  private static final int[] CHUNKS = {64, 4 << 10, 64 << 10};
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private RedactionBench() {}

  public static void main(String[] arguments) throws IOException {
    System.out.printf("%-32s %6s %8s %10s %8s%n", "MB/s", "chunk", "copy", "reference", "redactor");
    for (var count : new int[] {4, 32, 200}) {
      row(count + " secrets of 40 B", tokens(count), SecretSet::exactly);
    }
    var keys = tokens(8);
    keys.add(pem(1));
    keys.add(pem(2));
    row("2 PEM and 8 tokens", keys, SecretSet::exactly);
    row("2 tokens, derived forms", tokens(2), SecretSet::of);
    row("32 tokens, derived forms", tokens(32), SecretSet::of);
    row("2 PEM and 8 tokens, derived", keys, SecretSet::of);
    row("3 secrets of 3 B", List.of("foo", "k8s", "pw1"), SecretSet::exactly);
    hostile("a^3999 b on a*", "a".repeat(3999) + "b", "a");
    hostile("b a^3999 on a*", "b" + "a".repeat(3999), "a");
    hostile("x a^15 on a*", "x" + "a".repeat(15), "a");
    hostile("(a^7 b)^2 on (a^7 c)*", "aaaaaaab".repeat(2), "aaaaaaac");
    hostile("a on a*", "a", "a");
    hostile("a on (ab)*", "a", "ab");
    builds();
  }

  private static void row(
      String name, List<String> secrets, Function<Collection<Secret>, Redactions> compile)
      throws IOException {
    measure(name, text(secrets), secrets, compile);
  }

  private static void hostile(String name, String secret, String unit) throws IOException {
    measure(
        name,
        unit.repeat(TEXT / unit.length()).getBytes(UTF_8),
        List.of(secret),
        SecretSet::exactly);
  }

  private static void measure(
      String name,
      byte[] text,
      List<String> secrets,
      Function<Collection<Secret>, Redactions> compile)
      throws IOException {
    var redactions = compile.apply(secrets.stream().map(Secret::of).toList());
    var marker = redactions.marker().getBytes(UTF_8);
    var table =
        new ReferenceRedactor.Table(
            secrets.stream().map(secret -> secret.getBytes(UTF_8)).toList());
    for (var chunk : CHUNKS) {
      var best = new double[3];
      for (var round = 0; round < ROUNDS; round++) {
        best[0] = Math.max(best[0], through(text, chunk, Redactions.NONE));
        best[1] = Math.max(best[1], reference(text, chunk, table, marker));
        best[2] = Math.max(best[2], through(text, chunk, redactions));
      }
      System.out.printf(
          "%-32s %6d %8.0f %10.0f %8.0f%s%n",
          name, chunk, best[0], best[1], best[2], best[2] < best[1] ? "  slower" : "");
    }
  }

  private static double through(byte[] text, int chunk, Redactions redactions) {
    var sink = new Sink();
    var buffer = ByteBuffer.wrap(text);
    var start = System.nanoTime();
    var stream = redactions.open(sink);
    for (var i = 0; i < text.length; i += chunk) {
      stream.write(buffer.limit(Math.min(text.length, i + chunk)).position(i));
    }
    stream.end();
    return rate(text, start);
  }

  private static double reference(
      byte[] text, int chunk, ReferenceRedactor.Table table, byte[] marker) throws IOException {
    var start = System.nanoTime();
    var redactor = new ReferenceRedactor(table, new Sink(), marker);
    for (var i = 0; i < text.length; i += chunk) {
      redactor.write(text, i, Math.min(chunk, text.length - i));
    }
    redactor.close();
    return rate(text, start);
  }

  private static double rate(byte[] text, long start) {
    return text.length / 1e6 / ((System.nanoTime() - start) / 1e9);
  }

  private static void builds() {
    System.out.printf("%n%-32s %8s %8s%n", "to compile", "ms", "KiB");
    build("2 tokens, exact", tokens(2), SecretSet::exactly);
    build("2 tokens, derived forms", tokens(2), SecretSet::of);
    build("32 secrets, exact", tokens(32), SecretSet::exactly);
    build("32 secrets, derived forms", tokens(32), SecretSet::of);
    build("200 secrets, exact", tokens(200), SecretSet::exactly);
    var keys = tokens(8);
    keys.add(pem(1));
    keys.add(pem(2));
    build("2 PEM and 8 tokens, exact", keys, SecretSet::exactly);
    build("2 PEM and 8 tokens, derived", keys, SecretSet::of);
  }

  private static void build(
      String name, List<String> texts, Function<Collection<Secret>, Redactions> compile) {
    var secrets = texts.stream().map(Secret::of).toList();
    var times = new long[200];
    var size = 0L;
    for (var i = 0; i < times.length; i++) {
      var start = System.nanoTime();
      var redactions = compile.apply(secrets);
      times[i] = System.nanoTime() - start;
      size = redactions instanceof SecretSet set ? set.size() : 0;
    }
    Arrays.sort(times);
    System.out.printf("%-32s %8.3f %8d%n", name, times[times.length / 2] / 1e6, size >> 10);
  }

  /** Log text with a secret about every 15 KB. */
  private static byte[] text(List<String> secrets) {
    var random = new Random(7);
    var words =
        "npm install webpack resolved github.com build step error warning at line module"
            + " token=ghp_ gho_ fetch origin main 0123456789";
    var word = words.split(" ", -1);
    var text = new ByteArrayOutputStream(TEXT + 8192);
    while (text.size() < TEXT) {
      text.writeBytes(word[random.nextInt(word.length)].getBytes(UTF_8));
      text.write(random.nextInt(9) == 0 ? '\n' : ' ');
      if (random.nextInt(2000) == 0) {
        text.writeBytes(secrets.get(random.nextInt(secrets.size())).getBytes(UTF_8));
      }
    }
    return text.toByteArray();
  }

  private static List<String> tokens(int count) {
    var random = new Random(3);
    var prefixes = new String[] {"ghp_", "glpat-", "gho_", "sk-"};
    var tokens = new ArrayList<String>();
    for (var i = 0; i < count; i++) {
      tokens.add(prefixes[i % prefixes.length] + letters(random, 36));
    }
    return tokens;
  }

  private static String pem(int seed) {
    var random = new Random(seed);
    var lines = new StringBuilder("-----BEGIN OPENSSH PRIVATE KEY-----\n");
    for (var i = 0; i < 48; i++) {
      lines.append(letters(random, 64)).append('\n');
    }
    return lines.append("-----END OPENSSH PRIVATE KEY-----\n").toString();
  }

  private static String letters(Random random, int length) {
    var letters = new StringBuilder(length);
    for (var i = 0; i < length; i++) {
      letters.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return letters.toString();
  }

  /** Copies what it gets, as one who keeps it would. */
  private static final class Sink extends OutputStream implements Redactions.Bytes {

    private final byte[] kept = new byte[64 << 10];

    @Override
    public void accept(ByteBuffer bytes) {
      for (var at = bytes.position(); at < bytes.limit(); at += kept.length) {
        bytes.get(at, kept, 0, Math.min(kept.length, bytes.limit() - at));
      }
    }

    @Override
    public void write(int value) {
      kept[0] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      accept(ByteBuffer.wrap(bytes, offset, length));
    }
  }
}
