package mesh.tool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressBarsTest {

  /** case 117 */
  @Test
  void aProgressBarBecomesItsLastState() {
    var printed = new StringBuilder("begin\n");
    for (int i = 1; i <= 5000; i++) {
      printed.append('\r').append(i).append('%');
    }

    assertThat(ProgressBars.collapse(printed + "ok\nend")).isEqualTo("begin\n5000%ok\nend");
  }

  @Test
  void whatIsNotOverwrittenStays() {
    assertThat(ProgressBars.collapse("abcdef\rxyz\n")).isEqualTo("xyzdef\n");
    assertThat(ProgressBars.collapse("abcdef\rxyz\u001b[K\n")).isEqualTo("xyz\n");
    assertThat(ProgressBars.collapse("abc\b\bX")).isEqualTo("aXc");
    assertThat(ProgressBars.collapse("wait\u001b[2K\u001b[1Gdone\n")).isEqualTo("done\n");
  }

  @Test
  void otherTextStaysAsItIs() {
    for (var text :
        new String[] {"", "a\nb", "a\r\nb\r\n", "\u001b[31mred\u001b[0m\n", "é☕😀\n\n"}) {
      assertThat(ProgressBars.collapse(text)).isEqualTo(text);
    }
  }
}
