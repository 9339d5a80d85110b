package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "*.java a.java true",
        "*.java a/b.java false",
        "**/*.java b.java true",
        "**/*.java a/c/b.java true",
        "**/a/b a/b true",
        "a/**/b a/b true",
        "a/**/b axb false",
        "a/** a/b/c true",
        "?.c é.c true",
        "?.c /.c false",
        "[!a-c]x dx true",
        "[!a-c]x bx false",
        "[]]x ]x true",
        "{a,b{c,d}}.x bd.x true",
        "{a,b{c,d}}.x b.x false",
        "\\*.x *.x true",
        "\\*.x a.x false"
      })
  void matchesAsDocumented(String pattern, String path, boolean matches) {
    assertThat(Glob.of(pattern).matches(path)).isEqualTo(matches);
  }

  @Test
  void whatFindIsAskedIsNeverNarrower() {
    assertThat(Glob.of("a?[bc]/**/*.{x,y\\*}").wide()).containsExactly("./a*/*.x", "./a*/*.y\\*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[a", "{a", "a\\", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"})
  void whatIsNoneIsRefused(String pattern) {
    assertThatThrownBy(() -> Glob.of(pattern)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void noPatternTakesForEver() {
    var glob = Glob.of("*a".repeat(200) + "b");

    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(5), () -> assertThat(glob.matches("a".repeat(4000))).isFalse());
  }
}
