package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Where UTF-8 may be cut without splitting a character. */
final class Utf8 {

  private static final int LONGEST = 4;

  private Utf8() {}

  /**
   * The largest index up to {@code length} at which no character that began earlier is incomplete.
   * Bytes that are not UTF-8 are not held back.
   */
  static int lastBoundary(byte[] bytes, int length) {
    for (int back = 1; back < LONGEST && back <= length; back++) {
      int b = bytes[length - back] & 0xFF;
      if (isContinuation(b)) {
        continue;
      }
      return expected(b) > back ? length - back : length;
    }
    return length;
  }

  /** The first index at which a character can begin. */
  static int firstBoundary(byte[] bytes) {
    for (int i = 0; i < LONGEST && i < bytes.length; i++) {
      if (!isContinuation(bytes[i] & 0xFF)) {
        return i;
      }
    }
    return 0;
  }

  /** Whether the first {@code length} bytes are whole characters. */
  static boolean isValid(byte[] bytes, int length) {
    try {
      var _ = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
      return true;
    } catch (CharacterCodingException binary) {
      return false;
    }
  }

  private static boolean isContinuation(int b) {
    return (b & 0xC0) == 0x80;
  }

  /** Length of the character that a lead byte begins; 1 for anything that is no lead byte. */
  private static int expected(int lead) {
    if (lead >= 0xC2 && lead <= 0xDF) {
      return 2;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
      return 3;
    }
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 1;
  }
}
