package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is compared when a sandbox wakes, and what is said of it. */
class ManifestTest {

  private static final String LEFT =
      """
      head\t./r\t0123
      dirty\t./r\t M src/a b.txt
      tool\tgit\tgit version 2.47
      begun
      file\t111 5 ./one
      file\t222 7 ./two words
      whole
      """;

  @Test
  void theSameIsTheSameAlsoAfterItWasKept() {
    var left = Manifest.of(Manifest.read(LEFT).json());

    assertThat(left).isEqualTo(Manifest.read(LEFT));
    assertThat(left.differences(Manifest.read(LEFT))).isEmpty();
  }

  @Test
  void eachDifferenceIsSaid() {
    assertThat(differences(LEFT.replace("0123", "4567")))
        .containsExactly("the commit of ./r is 4567 and was 0123");
    assertThat(differences(LEFT.replace("dirty\t./r\t M src/a b.txt\n", "")))
        .containsExactly("uncommitted work in ./r/src/a b.txt is missing");
    assertThat(differences(LEFT.replace("2.47", "2.50")))
        .containsExactly("the version of git is git version 2.50 and was git version 2.47");
    assertThat(differences(LEFT.replace("file\t222 7 ./two words\n", "")))
        .containsExactly("the file ./two words is missing");
    assertThat(differences(LEFT.replace("111 5", "111 6")))
        .containsExactly("the file ./one has changed");
    assertThat(differences(LEFT.replace("whole\n", "file\t1 1 ./new\nwhole\n")))
        .containsExactly("the file ./new is new");
  }

  /** A list that was cut off proves nothing of files. */
  @Test
  void halfAListIsNotComparedWithAWhole() {
    assertThat(differences(LEFT.replace("whole\n", "")))
        .containsExactly("the number of files is not what it was");
    var cut = Manifest.read("begun\nfile\t1 1 ./a\n");
    assertThat(cut.differences(cut)).as("nothing to go by").isNull();
    var cutWithRepository = Manifest.read("head\t.\t1\nbegun\nfile\t1 1 ./a\n");
    assertThat(cutWithRepository.differences(cutWithRepository)).isEmpty();
  }

  @Test
  void whateverASandboxPrintsItIsRead() {
    for (var printed :
        List.of(
            "", "\n", "head", "head\tx", "file\t", "file\tx", "dirty\t.\tM", "tool\t\t\t", "\0")) {
      assertThat(Manifest.of(Manifest.read(printed).json())).isEqualTo(Manifest.read(printed));
    }
  }

  @Test
  void manyNamesAreNotAllSaid() {
    var many = new StringBuilder("begun\n");
    for (int i = 0; i < 100; i++) {
      many.append("file\t1 1 ./f").append(i).append('\n');
    }

    assertThat(Manifest.read(many + "whole\n").differences(Manifest.read("begun\nwhole\n")))
        .hasSize(6)
        .last()
        .isEqualTo("and 95 more of these");
  }

  private static List<String> differences(String later) {
    return Objects.requireNonNull(Manifest.read(LEFT).differences(Manifest.read(later)));
  }
}
