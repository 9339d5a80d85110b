package mesh.dashboard.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class VisibleTextTest {

  @Test
  void aLineHasNoLineBreaks() {
    assertThat(VisibleText.line("a\nb\tc\rd")).isEqualTo("a\\x0ab\\x09c\\x0dd");
  }

  @Test
  void aBlockKeepsThem() {
    assertThat(VisibleText.block("a\r\nb\tc\u202e")).isEqualTo("a\nb\tc\\u202e");
  }

  @Test
  void theFirstLineIsTheFirstThatSaysSomething() {
    assertThat(VisibleText.firstLine("\n  \n  Fix it.\nMore", 80)).isEqualTo("Fix it.");
    assertThat(VisibleText.firstLine("", 80)).isEmpty();
  }

  @Test
  void aLongFirstLineIsCutBetweenCharacters() {
    assertThat(VisibleText.firstLine("😀".repeat(10), 4)).isEqualTo("😀😀😀…");
  }

  @Test
  void aCommandLineReadsAsTyped() {
    assertThat(CommandLine.of(List.of("sh", "-c", "echo 'a b'", "", "x=1")))
        .isEqualTo("sh -c 'echo '\\''a b'\\''' '' x=1");
  }
}
