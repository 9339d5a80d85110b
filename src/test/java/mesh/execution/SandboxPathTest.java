package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxPathTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "./a", "../a", "/a/../b", "/a/./b", "/a//b", "/a/", "/a\0b"})
  void whatIsNotAbsoluteAndNormalIsRefused(String text) {
    assertThatThrownBy(() -> new SandboxPath(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "f, /p/f",
    "./f, /p/f",
    "a//f/, /p/a/f",
    "../f, /f",
    "a/../../f, /f",
    "../../../f, /f",
    "/etc/f, /etc/f",
    "., /p",
    "/, /"
  })
  void aPathIsResolvedAsAPersonMeansIt(String text, String resolved) {
    assertThat(new SandboxPath("/p").resolve(text)).hasToString(resolved);
  }

  @Test
  void noPathIsEmptyOrHoldsANul() {
    var directory = new SandboxPath("/p");

    assertThatThrownBy(() -> directory.resolve("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> directory.resolve("a\0b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void beingInADirectoryIsAMatterOfWholeNames() {
    var project = new SandboxPath("/p/project");

    assertThat(project.isIn(project)).isTrue();
    assertThat(project.resolve("f").isIn(project)).isTrue();
    assertThat(new SandboxPath("/p/projects").isIn(project)).isFalse();
    assertThat(project.isIn(new SandboxPath("/"))).isTrue();
  }
}
