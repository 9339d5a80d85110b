package mesh.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import mesh.database.DataFolder;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealerTest {

  private static final Place HERE = new Place("vault", "value", "1", "agent-a");

  @TempDir Path folder;

  @Test
  void whatWasSealedOpensAgainAlsoAfterARestart() {
    Secret secret = Secret.of("grüße\n\0 and more");

    SealedText sealed = sealer().seal(secret, HERE);

    assertThat(sealer(sealed).open(sealed, HERE)).isEqualTo(secret);
  }

  @Test
  void itOpensAtNoOtherPlace() {
    SealedText sealed = sealer().seal(Secret.of("canary"), HERE);

    for (Place elsewhere :
        List.of(
            new Place("vaults", "value", "1", "agent-a"),
            new Place("vault", "values", "1", "agent-a"),
            new Place("vault", "value", "2", "agent-a"),
            new Place("vault", "value", "1", "agent-b"),
            new Place("vault", "value", "1a", "gent-a"))) {
      assertThatThrownBy(() -> sealer(sealed).open(sealed, elsewhere))
          .as(elsewhere.toString())
          .isInstanceOf(SealBroken.class)
          .hasMessageContaining("enter it again");
    }
  }

  @Test
  void swappedRowsDoNotOpenAndTheTableShowsNothing() {
    Sealer sealer = sealer();
    try (TestDatabase database = TestDatabase.fresh()) {
      database.jdbc().sql("create table kept (id int primary key, value text)").update();
      for (int id : List.of(1, 2)) {
        database
            .jdbc()
            .sql("insert into kept values (:id, :value)")
            .param("id", id)
            .param("value", sealer.seal(Secret.of("canary-" + id), place(id)).encoded())
            .update();
      }
      database.jdbc().sql("update kept set id = id + 10").update();
      database.jdbc().sql("update kept set id = 13 - id").update();

      for (int id : List.of(1, 2)) {
        String value =
            database
                .jdbc()
                .sql("select value from kept where id = :id")
                .param("id", id)
                .query((row, number) -> row.getString(1))
                .single();
        assertThat(value).doesNotContain("canary");
        assertThatThrownBy(() -> sealer.open(new SealedText(value), place(id)))
            .isInstanceOf(SealBroken.class);
      }
    }
  }

  @Test
  void theSameSecretNeverLooksTheSame() {
    Sealer sealer = sealer();

    assertThat(sealer.seal(Secret.of("x"), HERE)).isNotEqualTo(sealer.seal(Secret.of("x"), HERE));
  }

  @Test
  void theKeysetIsMeshsAlone() throws IOException {
    sealer();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyset())))
        .isEqualTo("rw-------");
  }

  @Test
  void aMissingKeysetIsNotReplacedWhileTheDatabaseNeedsIt() throws IOException {
    SealedText sealed = sealer().seal(Secret.of("x"), HERE);
    Files.delete(keyset());

    assertThatThrownBy(() -> sealer(sealed))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("keyset.json")
        .hasMessageContaining("put it back");
    assertThat(keyset()).doesNotExist();
  }

  @Test
  void aForeignOrBrokenKeysetIsRefused() throws IOException {
    SealedText sealed = sealer().seal(Secret.of("x"), HERE);
    Files.delete(keyset());
    sealer();

    assertThatThrownBy(() -> sealer(sealed)).hasMessageContaining("not in");

    Files.writeString(keyset(), "{}");
    assertThatThrownBy(this::sealer).hasMessageContaining("not a keyset");
  }

  @Test
  void aSealedTextTellsItsKeyAndNothingElse() {
    SealedText sealed = sealer().seal(Secret.of("x"), HERE);

    assertThat(sealed).hasToString("[sealed]");
    assertThat(sealed.keyId()).isNotZero();
    assertThatThrownBy(() -> new SealedText("AAAA")).isInstanceOf(IllegalArgumentException.class);
  }

  private static Place place(int id) {
    return new Place("kept", "value", String.valueOf(id), "");
  }

  private Path keyset() {
    return folder.resolve("keyset.json");
  }

  private Sealer sealer(SealedText... stored) {
    return new Sealer(Keyring.open(new DataFolder(folder), List.of(stored)));
  }
}
