package mesh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Secrets that no text holds by chance. Whatever a test gives Mesh as a secret comes from here, and
 * whatever Mesh shows anybody is observed here: answers, streams of events, what it logs, what it
 * asks of vendors. So one search at the end tells whether any secret of the whole suite got
 * anywhere.
 */
public final class Canaries {

  /** In every canary, and nowhere else; of a length at which its Base64 has three fixed forms. */
  static final String MARK = "Canary7qZx41";

  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final int LENGTH = 24;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Path SEEN = file();
  private static final OutputStream OBSERVED = open();

  private Canaries() {}

  /** A new one, of letters and digits after the prefix. */
  public static String fresh(String prefix) {
    var text = new StringBuilder(prefix).append(MARK);
    RANDOM.ints(LENGTH, 0, ALPHABET.length()).forEach(index -> text.append(ALPHABET.charAt(index)));
    return text.toString();
  }

  /** Something that somebody outside of Mesh got to see. */
  public static void observe(String text) {
    observe(text.getBytes(UTF_8));
  }

  static void observe(byte[] bytes) {
    synchronized (OBSERVED) {
      try {
        OBSERVED.write(bytes);
        OBSERVED.write('\n');
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Passes on what is printed, and observes it. */
  static OutputStream observing(OutputStream target) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        target.write(bytes, from, length);
        synchronized (OBSERVED) {
          OBSERVED.write(bytes, from, length);
        }
      }

      @Override
      public void flush() throws IOException {
        target.flush();
      }
    };
  }

  /** Where canaries are in all that was observed so far, each with what is around it. */
  static List<String> sightings() {
    synchronized (OBSERVED) {
      try {
        OBSERVED.flush();
        return in(Files.readString(SEEN, ISO_8859_1));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Where canaries are in a text: as they are, or in Base64, hexadecimal, URLs or JSON. */
  public static List<String> in(String text) {
    var found = new ArrayList<String>();
    for (var form : forms()) {
      for (int at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
        found.add(
            text.substring(
                Math.max(0, at - 200), Math.min(text.length(), at + form.length() + 40)));
      }
    }
    return found;
  }

  /** Letters and digits are the same in URLs and JSON. */
  private static List<String> forms() {
    var forms = new ArrayList<String>();
    forms.add(MARK);
    for (int shift = 0; shift < 3; shift++) {
      var encoded = Base64.getEncoder().encodeToString(("x".repeat(shift) + MARK).getBytes(UTF_8));
      // What stands at either end depends on what is before and after.
      forms.add(encoded.substring(shift == 0 ? 0 : 4, (shift + MARK.length()) / 3 * 4));
    }
    var hex = HexFormat.of().formatHex(MARK.getBytes(UTF_8));
    forms.add(hex);
    forms.add(hex.toUpperCase(Locale.ROOT));
    return forms;
  }

  private static Path file() {
    try {
      var file = Files.createTempFile("mesh-observed-", ".log");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OutputStream open() {
    try {
      return new BufferedOutputStream(Files.newOutputStream(SEEN), 64 * 1024);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
