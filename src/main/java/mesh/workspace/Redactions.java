package mesh.workspace;

import java.nio.ByteBuffer;

/**
 * The secrets that one run's output must not show. Applied to raw bytes, before anything is cut,
 * decoded or stored, so that no later stage can hold a plaintext.
 */
interface Redactions {

  /** A run that was given no secret. */
  Redactions NONE = new NoRedactions();

  /** What stands in the place of a secret. */
  String MARKER = "[REDACTED]";

  /** Begins one stream of bytes. */
  Stream open(Bytes out);

  /** A whole text, such as a vendor's message. */
  String apply(String text);

  /**
   * How many bytes around a window must be known to redact it: the longest secret's length less 1.
   */
  int margin();

  /** One stream. Chunking does not change what comes out. Used by one thread. */
  interface Stream {

    /** Takes the next bytes; passes on what can no longer be part of a secret. */
    void write(ByteBuffer bytes);

    /** The stream ended: passes on the rest. */
    void end();

    /** How many markers were written. */
    long count();
  }

  /** Takes redacted bytes, valid only during the call. */
  interface Bytes {
    void accept(ByteBuffer bytes);
  }
}
