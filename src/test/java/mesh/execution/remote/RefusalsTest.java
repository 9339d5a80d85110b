package mesh.execution.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stat: cannot statx '/x': No such file or directory | MISSING",
        "stat: cannot statx '/Permission denied/x': Not a directory | NOT_A_DIRECTORY",
        "mesh: 12: cannot open /x: Permission denied | DENIED",
        "cat: write error: No space left on device | NO_SPACE",
        "mkdir: cannot create directory '/x': Read-only file system | READ_ONLY",
        "stat: /x: Too many levels of symbolic links | LOOP"
      })
  void whyAFileWasRefusedIsReadFromTheEndOfALine(String said, Refusals refusal) {
    assertThat(Refusals.of("noise\n" + said + "\n")).contains(refusal);
    assertThat(Refusals.of("fine")).isEmpty();
  }
}
