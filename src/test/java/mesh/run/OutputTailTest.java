package mesh.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutputTailTest {

  private final OutputTail printed = new OutputTail();

  @Test
  void ofLittleAllIsKept() {
    assertThat(printed.tail()).isEqualTo(RunOutput.Tail.NOTHING);

    printed.append("one\n");
    printed.append("two\n");

    assertThat(printed.tail()).isEqualTo(new RunOutput.Tail(0, "one\ntwo\n"));
  }

  @Test
  void ofMuchOnlyTheEndIsKept() {
    var all = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      printed.append("line " + i + "\n");
      all.append("line ").append(i).append('\n');
    }
    assertEndOf(all);

    var huge = "y".repeat(1_000_000) + "end";
    printed.append(huge);
    assertEndOf(all.append(huge));

    printed.append("z");
    assertEndOf(all.append('z'));
  }

  private void assertEndOf(StringBuilder all) {
    var tail = printed.tail();
    assertThat(tail.text()).hasSize(OutputTail.KEPT);
    assertThat(tail.end()).isEqualTo(all.length());
    assertThat(all.substring((int) tail.from())).isEqualTo(tail.text());
  }

  @Test
  void noCharacterIsCutInTwo() {
    printed.append("\ud83d\ude00".repeat(OutputTail.KEPT) + "x");

    var tail = printed.tail();
    assertThat(Character.isLowSurrogate(tail.text().charAt(0))).isFalse();
    assertThat(tail.end()).isEqualTo(2L * OutputTail.KEPT + 1);
  }

  @Test
  void piecesFromElsewhereFindTheirPlace() {
    printed.put(0, "abc");
    printed.put(3, "def");
    printed.put(1, "bcd");
    printed.put(4, "efgh");
    assertThat(printed.tail()).isEqualTo(new RunOutput.Tail(0, "abcdefgh"));

    printed.put(100, "later");
    assertThat(printed.tail()).as("no gap is hidden").isEqualTo(new RunOutput.Tail(100, "later"));

    printed.put(0, "abc");
    assertThat(printed.tail()).isEqualTo(new RunOutput.Tail(100, "later"));
  }

  @Test
  void aReaderIsGivenWhatItHasNotSeen() {
    var tail = new RunOutput.Tail(100, "abcdef");

    assertThat(tail.after(0)).isEqualTo(tail);
    assertThat(tail.after(103)).isEqualTo(new RunOutput.Tail(103, "def"));
    assertThat(tail.after(106)).isEqualTo(new RunOutput.Tail(106, ""));
    assertThat(tail.after(1000).text()).isEmpty();
  }
}
