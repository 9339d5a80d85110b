package mesh.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {

  private static final Instant AT = Instant.parse("2026-11-29T12:00:00.123456Z");

  @Test
  void isReadAsItWasWritten() {
    UUID id = UUID.randomUUID();

    Cursor read = Cursor.valueOf(Cursor.after(AT, id).toString());

    assertThat(read.at()).isEqualTo(AT);
    assertThat(read.uuid()).isEqualTo(id);
    assertThat(Cursor.valueOf(Cursor.after(AT, 17).toString()).number()).isEqualTo(17);
    assertThat(
            Cursor.valueOf(Cursor.after(Instant.parse("1960-01-01T00:00:00Z"), 1).toString()).at())
        .isEqualTo("1960-01-01T00:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "%",
        "a",
        "MTIz",
        "LjE",
        "MS4",
        "eC55",
        "OTk5OTk5OTk5OTk5OTk5OTk5OS4x",
        "null",
        "é"
      })
  void isRefusedWhenNoListGaveIt(String text) {
    assertThatThrownBy(() -> Cursor.valueOf(text))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.code()).isEqualTo("cursor_invalid");
              assertThat(problem.status()).isEqualTo(400);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "201", "ten", "", "99999999999"})
  void aLimitIsOneToTwoHundred(String text) {
    assertThatThrownBy(() -> Limit.valueOf(text))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.code()).isEqualTo("limit_invalid"));
  }

  @Test
  void aPageTellsWhereTheNextBegins() {
    Limit two = new Limit(2);

    assertThat(Page.of(List.of(3, 2), two, i -> Cursor.after(AT, i)).next()).isEmpty();
    Page<Integer> first = Page.of(List.of(3, 2, 1), two, i -> Cursor.after(AT, i));
    assertThat(first.rows()).containsExactly(3, 2);
    assertThat(first.next().orElseThrow().number()).isEqualTo(2);
    assertThat(first.json("numbers")).containsOnlyKeys("numbers", "next");
  }
}
