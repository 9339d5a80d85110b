package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Utf8Test {

  private static final byte[] MIXED = "aé☕😀z".getBytes(UTF_8);

  @Test
  void everyPrefixIsCutAtTheLastWholeCharacter() {
    for (int length = 0; length <= MIXED.length; length++) {
      int end = Utf8.lastBoundary(MIXED, length);

      assertThat(new String(MIXED, 0, end, UTF_8)).doesNotContain("\uFFFD");
      assertThat(length - end).isLessThan(4);
    }
  }

  @Test
  void aWholeTextIsNotCut() {
    assertThat(Utf8.lastBoundary(MIXED, MIXED.length)).isEqualTo(MIXED.length);
  }

  @Test
  void brokenBytesAreNotHeldBack() {
    assertThat(Utf8.lastBoundary(new byte[] {'a', (byte) 0x80, (byte) 0x80}, 3)).isEqualTo(3);
    assertThat(Utf8.lastBoundary(new byte[] {(byte) 0xFF}, 1)).isEqualTo(1);
    assertThat(Utf8.lastBoundary(new byte[] {(byte) 0xC0}, 1)).isEqualTo(1);
  }

  @Test
  void aTailBeginsWithItsFirstWholeCharacter() {
    var tail = new byte[] {(byte) 0x98, (byte) 0x80, 'z'};

    assertThat(Utf8.firstBoundary(tail)).isEqualTo(2);
  }
}
