package mesh.execution;

import java.util.regex.Pattern;

/** The POSIX permissions a written file gets. */
public sealed interface FileMode {

  /** An existing file's own mode; {@code 0644} for a new one. */
  FileMode KEEP = new Keep();

  /** {@code 0600}: the owner's alone, from the first byte on. */
  FileMode PRIVATE = new Exactly(0600);

  /** Parses {@code 0644} or {@code 644}; octal, {@code 0} to {@code 0777}. */
  static FileMode parse(String octal) {
    if (!Exactly.FORM.matcher(octal).matches()) {
      throw new IllegalArgumentException("not a file mode between 0000 and 0777: " + octal);
    }
    return new Exactly(Integer.parseInt(octal, 8));
  }

  record Keep() implements FileMode {}

  /**
   * @param bits {@code 0} to {@code 0777}
   */
  record Exactly(int bits) implements FileMode {

    private static final Pattern FORM = Pattern.compile("0?[0-7]{3}");

    public Exactly {
      if (bits < 0 || bits > 0777) {
        throw new IllegalArgumentException("not a file mode: " + Integer.toOctalString(bits));
      }
    }

    /** Four octal digits, such as {@code 0644}. */
    public String octal() {
      return String.format("%04o", bits);
    }
  }
}
