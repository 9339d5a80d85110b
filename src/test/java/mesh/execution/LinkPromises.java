package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Symbolic links work inside the project and do not lead a write out of it. */
abstract class LinkPromises {

  private static final byte[] NEW = "new".getBytes(UTF_8);
  private static final FileWrite OUT = new FileWrite.Refused(FileRefusal.LINK_OUT_OF_PROJECT);

  private final Laboratory laboratory;

  LinkPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @BeforeEach
  void placeAVictim() throws InterruptedException {
    laboratory.shell(
        "mkdir -p \"$HOME/out\"; rm -f \"$HOME\"/out/*; echo old > \"$HOME/out/victim\"");
  }

  @Test
  void aLinkInsideIsFollowed() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory
        .shell(
            folder,
            "mkdir d e; echo old > d/target; ln -s d/target relative; ln -s \"$PWD/d\" absolute;"
                + " ln -s ../d/target e/up")
        .succeeded();

    for (var name : List.of("relative", "absolute/target", "e/up")) {
      var content = name.getBytes(UTF_8);
      assertThat(laboratory.write(folder.resolve(name), content))
          .as(name)
          .isEqualTo(new FileWrite.Written(content.length));
      assertThat(laboratory.content(folder.resolve(name))).isEqualTo(content);
      assertThat(laboratory.content(folder.resolve("d/target"))).isEqualTo(content);
    }
    assertThat(
            laboratory.shell(folder, "test -L relative && test -L absolute && test -L e/up").code())
        .isZero();
  }

  /** case 31 */
  @Test
  void aLinkThatLeadsOutIsRefusedAndItsTargetUntouched() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory
        .shell(
            folder,
            "ln -s \"$HOME/out/victim\" notes.md; ln -s \"$HOME/out\" dir; ln -s notes.md twice")
        .succeeded();

    assertThat(laboratory.write(folder.resolve("notes.md"), NEW)).isEqualTo(OUT);
    assertThat(laboratory.write(folder.resolve("dir/victim"), NEW)).isEqualTo(OUT);
    assertThat(laboratory.write(folder.resolve("dir/created"), NEW)).isEqualTo(OUT);
    assertThat(laboratory.write(folder.resolve("dir/a/created"), NEW)).isEqualTo(OUT);
    assertThat(laboratory.write(folder.resolve("twice"), NEW)).isEqualTo(OUT);

    assertThat(laboratory.shell("cat \"$HOME/out/victim\"; ls -A \"$HOME/out\"").out())
        .isEqualTo("old\nvictim\n");
    assertThat(laboratory.shell(folder, "test -L notes.md").code()).isZero();
  }

  /** case 31 */
  @Test
  void aLinkToNothingOutsideCreatesNothing() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "ln -s \"$HOME/out/none\" notes.md").succeeded();

    assertThat(laboratory.write(folder.resolve("notes.md"), NEW)).isEqualTo(OUT);

    assertThat(laboratory.shell("ls -A \"$HOME/out\"").out()).isEqualTo("victim\n");
  }

  @Test
  void aLoopIsRefused() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "ln -s a b; ln -s b a; ln -s self self").succeeded();

    for (var name : List.of("a", "self", "self/below")) {
      assertThat(laboratory.write(folder.resolve(name), NEW))
          .isEqualTo(new FileWrite.Refused(FileRefusal.TOO_MANY_LINKS));
      assertThat(laboratory.sandbox().read(folder.resolve(name), 0, 1))
          .isEqualTo(new FileRead.Refused(FileRefusal.TOO_MANY_LINKS));
    }
  }

  @Test
  void aLinkToNothingIsAbsent() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "ln -s none dangling").succeeded();

    assertThat(laboratory.sandbox().read(folder.resolve("dangling"), 0, 1))
        .isEqualTo(new FileRead.Absent());
  }
}
