package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClampTest {

  private static final int KEPT = Clamp.KEPT;

  @Test
  void whatFitsIsKeptWhole() {
    var bytes = random(2 * KEPT, 1);

    assertThat(written(bytes, 1000).isWhole()).isTrue();
    assertThat(written(bytes, 1000).whole()).isEqualTo(bytes);
  }

  @Test
  void oneByteMoreIsCut() {
    var clamp = written(new byte[2 * KEPT + 1], 4096);

    assertThat(clamp.isWhole()).isFalse();
    assertThat(clamp.text("where")).contains("… 1 bytes omitted; where …");
  }

  @Test
  void headAndTailAreExactWhateverTheChunks() {
    for (int chunk : new int[] {1, 7, 1000, KEPT - 1, KEPT, KEPT + 1, 200_000}) {
      var bytes = ascii(3 * KEPT + 12_345);

      var text = written(bytes, chunk).text("w");

      var head = new String(bytes, 0, KEPT, UTF_8);
      var tail = new String(bytes, bytes.length - KEPT, KEPT, UTF_8);
      assertThat(text)
          .as("chunks of %d", chunk)
          .isEqualTo(head + "\n… " + (bytes.length - 2 * KEPT) + " bytes omitted; w …\n" + tail);
    }
  }

  @Test
  void aCutNeverSplitsACharacterAndTheCountSaysSo() {
    for (int shift = 0; shift < 4; shift++) {
      var bytes = ("x".repeat(shift) + "é☕😀".repeat(40_000)).getBytes(UTF_8);

      var text = written(bytes, 4096).text("w");

      assertThat(text).as("shifted by %d", shift).doesNotContain("\uFFFD");
      var parts = text.split("\n… | bytes omitted; w …\n");
      long omitted = Long.parseLong(parts[1]);
      assertThat(parts[0].getBytes(UTF_8).length + omitted + parts[2].getBytes(UTF_8).length)
          .isEqualTo(bytes.length);
    }
  }

  @Test
  void bytesThatAreNoTextDoNotShiftTheCut() {
    var bytes = new byte[3 * KEPT];
    Arrays.fill(bytes, (byte) 0xFF);

    assertThat(written(bytes, 999).text("w")).contains("… " + KEPT + " bytes omitted");
  }

  @Test
  void countsEveryByte() {
    assertThat(written(random(1_000_003, 2), 8191).total()).isEqualTo(1_000_003);
  }

  private static Clamp written(byte[] bytes, int chunk) {
    var clamp = new Clamp();
    for (int at = 0; at < bytes.length; at += chunk) {
      clamp.write(ByteBuffer.wrap(bytes, at, Math.min(chunk, bytes.length - at)));
    }
    return clamp;
  }

  private static byte[] random(int length, long seed) {
    var bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] ascii(int length) {
    var out = new ByteArrayOutputStream(length);
    for (int i = 0; i < length; i++) {
      out.write('a' + i % 26);
    }
    return out.toByteArray();
  }
}
