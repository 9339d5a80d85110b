package mesh.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RunOutputTest {

  private static final RunId RUN = new RunId(new UUID(1, 1));

  private final List<RunId> hints = new ArrayList<>();
  private final RunOutput outputs = new RunOutput(hints::add);

  @Test
  void whatWasPrintedIsThereUntilTheCallIsOver() {
    assertThat(outputs.of(RUN, 3)).isEmpty();

    try (var recording = outputs.begin(RUN, 3)) {
      assertThat(outputs.of(RUN, 3)).as("nothing printed").isEmpty();
      recording.accept("one\n");
      recording.accept("two\n");

      assertThat(outputs.of(RUN, 3)).contains(new RunOutput.Tail(0, "one\ntwo\n"));
      assertThat(outputs.of(RUN, 4)).isEmpty();
      assertThat(outputs.of(new RunId(new UUID(1, 2)), 3)).isEmpty();
    }
    assertThat(outputs.of(RUN, 3)).isEmpty();
  }

  @Test
  void ofMuchOnlyTheEndIsKept() {
    var all = new StringBuilder();
    try (var recording = outputs.begin(RUN, 1)) {
      for (int i = 0; i < 20_000; i++) {
        recording.accept("line " + i + "\n");
        all.append("line ").append(i).append('\n');
      }
      assertEndOf(all);

      var huge = "y".repeat(1_000_000) + "end";
      recording.accept(huge);
      all.append(huge);
      assertEndOf(all);

      recording.accept("z");
      all.append('z');
      assertEndOf(all);
    }
  }

  private void assertEndOf(StringBuilder all) {
    var tail = outputs.of(RUN, 1).orElseThrow();
    assertThat(tail.text()).hasSize(RunOutput.KEPT);
    assertThat(tail.end()).isEqualTo(all.length());
    assertThat(all.substring((int) tail.from())).isEqualTo(tail.text());
  }

  @Test
  void noCharacterIsCutInTwo() {
    try (var recording = outputs.begin(RUN, 1)) {
      recording.accept("\ud83d\ude00".repeat(RunOutput.KEPT) + "x");

      var tail = outputs.of(RUN, 1).orElseThrow();
      assertThat(Character.isLowSurrogate(tail.text().charAt(0))).isFalse();
      assertThat(tail.end()).isEqualTo(2L * RunOutput.KEPT + 1);
    }
  }

  @Test
  void aReaderIsGivenWhatItHasNotSeen() {
    var tail = new RunOutput.Tail(100, "abcdef");

    assertThat(tail.after(0)).isEqualTo(tail);
    assertThat(tail.after(103)).isEqualTo(new RunOutput.Tail(103, "def"));
    assertThat(tail.after(106)).isEqualTo(new RunOutput.Tail(106, ""));
    assertThat(tail.after(1000).text()).isEmpty();
  }

  /** However many pieces come, watchers are not woken for each. */
  @Test
  void hintsAreFew() {
    try (var recording = outputs.begin(RUN, 1)) {
      for (int i = 0; i < 10_000; i++) {
        recording.accept("x");
      }
    }
    assertThat(hints).isNotEmpty().hasSizeLessThan(1_000);
  }
}
