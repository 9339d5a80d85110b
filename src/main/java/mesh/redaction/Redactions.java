package mesh.redaction;

import java.nio.ByteBuffer;

/**
 * A set of secrets that output must not show. Applied to raw bytes, before anything is cut, decoded
 * or stored, so that no later stage can hold a plaintext. Immutable and thread-safe; its streams
 * are not.
 */
public interface Redactions {

  /** No secret to look for. */
  Redactions NONE = new NoRedactions();

  /** What stands in the place of a secret, unless one of the secrets collides with it. */
  String MARKER = "[REDACTED]";

  /** What stands in the place of a secret here. */
  String marker();

  /** Begins one stream of bytes. */
  Stream open(Bytes out);

  /** A whole text, such as a vendor's message. */
  String apply(String text);

  /**
   * A window of a longer content, redacted as it would be in the whole content.
   *
   * @param content the window with {@link #margin()} bytes on either side, as far as there are any
   * @param from where the window begins in {@code content}
   * @param to where it ends, exclusive
   */
  Window window(byte[] content, int from, int to);

  /**
   * How many bytes of the beginning of a stream cannot become part of a secret by what follows it;
   * all but the last {@link #margin()} at least.
   *
   * @param content as {@link #window} takes it, up to where the stream is known
   */
  int settled(byte[] content);

  /**
   * How many bytes around a window must be known to redact it: the longest secret's length less 1.
   */
  int margin();

  /** One stream. Chunking does not change what comes out. Used by one thread. */
  interface Stream {

    /**
     * Takes the next bytes, all that remain in the buffer; passes on what can no longer be part of
     * a secret.
     */
    void write(ByteBuffer bytes);

    /** The stream ended: passes on the rest. */
    void end();

    /**
     * The stream was cut off, so that its last bytes may be the beginning of a secret: 8 or more
     * such bytes become a marker.
     */
    void cut();

    /** How many markers were written. */
    long count();
  }

  /** Takes redacted bytes, valid only during the call. */
  interface Bytes {
    void accept(ByteBuffer bytes);
  }

  /**
   * @param bytes what may be shown
   * @param count how many markers are in it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Window(byte[] bytes, int count) {}
}
