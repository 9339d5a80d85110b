package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What cannot be a command is refused before any backend sees it. */
class CommandTest {

  private static final SandboxPath ROOT = new SandboxPath("/");
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** cases 32 and 59 */
  @Test
  void argumentsThatNoProgramCanGetAreRefused() {
    for (var argv :
        List.of(List.<String>of(), List.of(""), List.of("a\0b"), List.of("echo", "\ud83d"))) {
      assertThatThrownBy(() -> Command.of(argv, ROOT, SECOND))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("argv");
    }
  }

  @Test
  void theLimitsAreExact() {
    var longest = "x".repeat(Command.MAX_ARGV_BYTES - 1);
    assertThat(Command.of(List.of(longest), ROOT, SECOND).argv()).hasSize(1);
    assertThat(Command.of(Collections.nCopies(Command.MAX_ARGUMENTS, "x"), ROOT, SECOND).argv())
        .hasSize(Command.MAX_ARGUMENTS);
    var most = new byte[Command.MAX_STDIN_BYTES];
    assertThat(Command.of(List.of("x"), ROOT, Command.MAX_TIMEOUT).withStdin(most).stdin())
        .hasSize(most.length);

    assertThatThrownBy(() -> Command.of(List.of(longest + "x"), ROOT, SECOND))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> Command.of(Collections.nCopies(Command.MAX_ARGUMENTS + 1, "x"), ROOT, SECOND))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> Command.of(List.of("x"), ROOT, SECOND).withStdin(new byte[most.length + 1]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTimeoutIsMoreThanNothingAndAtMostAnHour() {
    for (var timeout :
        List.of(Duration.ZERO, Duration.ofMillis(-1), Command.MAX_TIMEOUT.plusNanos(1))) {
      assertThatThrownBy(() -> Command.of(List.of("x"), ROOT, timeout))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void itsTextShowsNeitherArgumentsNorInput() {
    var command =
        Command.of(List.of("echo", "hunter2"), ROOT, SECOND).withStdin(new byte[] {'h', 'u', 'n'});

    assertThat(command).asString().doesNotContain("hunter2", "hun");
  }
}
