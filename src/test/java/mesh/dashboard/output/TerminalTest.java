package mesh.dashboard.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void linesBecomeRows() {
    assertThat(text("one\ntwo\r\nthree")).isEqualTo("one\ntwo\nthree");
    assertThat(text("one\n\n")).isEqualTo("one\n");
    assertThat(Terminal.rows("")).isEmpty();
  }

  @Test
  void ofALineThatWasRedrawnTheLastStateCounts() {
    assertThat(text(" 12%\r 50%\r100%\nnext")).isEqualTo("100%\nnext");
    assertThat(text("100%\r\n")).isEqualTo("100%");
    assertThat(text("100%\r\r\n")).isEqualTo("100%");
    assertThat(text("100%\r")).isEqualTo("100%");
  }

  @Nested
  class Colours {

    @Test
    void arePiecesWithClasses() {
      assertThat(spans("\u001b[1;31mbad\u001b[0m good"))
          .containsExactly(new Span("bad", "f1 bo"), new Span(" good", ""));
    }

    @Test
    void lastOverLineEnds() {
      assertThat(spans("\u001b[32ma\nb")).containsExactly(new Span("a", "f2"), new Span("b", "f2"));
    }

    @Test
    void of256AndOf24BitsBecomeTheNearestOfSixteen() {
      assertThat(spans("\u001b[38;5;9mx")).containsExactly(new Span("x", "f9"));
      assertThat(spans("\u001b[48;2;255;255;255mx")).containsExactly(new Span("x", "k15"));
      assertThat(spans("\u001b[38;5;196mx").getFirst().classes()).matches("f[19]");
    }

    @Test
    void cutOffOrUnknownChangeNothing() {
      assertThat(text("a\u001b[")).isEqualTo("a");
      assertThat(text("a\u001b[38;5mb")).isEqualTo("ab");
      assertThat(text("a\u001b[999999999999mb")).isEqualTo("ab");
    }

    @Test
    void canOnlyNameClassesOfTheStylesheet() {
      assertThat(spans("\u001b[38;5;99999;48;2;-1;700;0;1;2;3;4;7;9mx").getFirst().classes())
          .matches("([fk]\\d+|bo|fa|it|un|st|in| )*");
    }
  }

  @Nested
  class OtherSequences {

    @Test
    void areDropped() {
      assertThat(text("a\u001b[2K\u001b[1A\u001b[?25lb")).isEqualTo("ab");
      assertThat(text("a\u001b(Bb\u001b=c\u001b7d")).isEqualTo("abcd");
    }

    @Test
    void ofTitlesAndLinksLeaveOnlyTheText() {
      assertThat(text("\u001b]0;owned\u0007a")).isEqualTo("a");
      assertThat(text("\u001b]8;;https://evil.example/\u001b\\click\u001b]8;;\u001b\\"))
          .isEqualTo("click");
      assertThat(text("\u001bPq#0;2;0;0;0\u001b\\a")).isEqualTo("a");
    }

    @Test
    void thatNeverEndDoNotHideTheLinesThatFollow() {
      assertThat(text("\u001b]0;open\nseen")).isEqualTo("\nseen");
      assertThat(text("\u001b[31;\nseen")).isEqualTo("\nseen");
    }
  }

  @Nested
  class HiddenCharacters {

    @Test
    void areShownAsEscapes() {
      assertThat(text("a\u0000b\u0008c\u007fd")).isEqualTo("a\\x00b\\x08c\\x7fd");
      assertThat(text("\u202eexe.txt\u2066")).isEqualTo("\\u202eexe.txt\\u2066");
      assertThat(text("\u009b31mred")).isEqualTo("\\x9b31mred");
      assertThat(text("a\u2028b\ufeffc\u200bd")).isEqualTo("a\\u2028b\\ufeffc\\u200bd");
      assertThat(text("\udb40\udc41")).isEqualTo("\\u{e0041}");
      assertThat(text("\ud83d")).isEqualTo("\\ud83d");
      assertThat(text("\u001b")).isEqualTo("\\x1b");
    }

    @Test
    void areTellable() {
      assertThat(spans("a\u0000b"))
          .containsExactly(new Span("a", ""), new Span("\\x00", "esc"), new Span("b", ""));
    }

    @Test
    void areNotThoseThatShapeEmojiAndScripts() {
      String family = "👩\u200d👩\u200d👧 می\u200cخواهم";
      assertThat(text(family)).isEqualTo(family);
    }
  }

  @Test
  void hugeLinesAreCutIntoRowsThatCanBeFolded() {
    List<Row> rows = Terminal.rows("x".repeat(50_500));

    assertThat(rows).hasSize(51);
    assertThat(rows.getFirst().text()).hasSize(Terminal.ROW_CHARACTERS);
    assertThat(Folded.of(rows).middle()).hasSize(27);
  }

  @Test
  void nothingHiddenIsEverLeft() {
    var random = new Random(20_261_129);
    for (int round = 0; round < 2_000; round++) {
      String output = hostile(random);

      assertThat(text(output).replace("\n", "").replace("\t", "").codePoints())
          .as("round %d", round)
          .noneMatch(VisibleText::conceals);
    }
  }

  /** Mostly what terminals and text engines act on, in any order. */
  private static String hostile(Random random) {
    var output = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      switch (random.nextInt(6)) {
        case 0 -> output.append((char) random.nextInt(0x20));
        case 1 -> output.append('\u001b').append((char) (0x40 + random.nextInt(0x40)));
        case 2 -> output.append((char) (0x2000 + random.nextInt(0x70)));
        case 3 -> output.append((char) (0x7f + random.nextInt(0x22)));
        case 4 -> output.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
        default -> output.append("[1;31m]8;;x".charAt(random.nextInt(11)));
      }
    }
    return output.toString();
  }

  private static String text(String output) {
    return Terminal.rows(output).stream().map(Row::text).collect(Collectors.joining("\n"));
  }

  private static List<Span> spans(String output) {
    return Terminal.rows(output).stream().flatMap(row -> row.spans().stream()).toList();
  }
}
