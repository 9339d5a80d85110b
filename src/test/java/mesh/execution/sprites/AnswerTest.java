package mesh.execution.sprites;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import mesh.execution.BackendException;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTest {

  private static final Account ACCOUNT =
      new Account(HttpUrl.get("https://api.sprites.dev"), "org/1/secret");

  /** Three dialects, and bodies of nobody's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"error\":\"authentication failed\"} | authentication failed",
        "{\"error\":\"code\",\"message\":\"in words\"} | code: in words",
        "{\"error\":\"same\",\"message\":\"same\"} | same",
        "{\"message\":\"only\"} | only",
        "{\"error\":\"open /tmp/x: no such file\",\"path\":\"/tmp/x\"} | open /tmp/x: no such file",
        "invalid policy config | invalid policy config",
        "<html>bad gateway</html> | <html>bad gateway</html>",
        "[1,2] | [1,2]",
        "~a\n b\u0000\u001b[31m~ | a b [31m",
        "{\"error\":\"for org/1/secret\"} | for [secret]"
      })
  void theVendorsWordsArePassedOnOnOneLine(String body, String words) {
    assertThat(new Answer(401, "", body).refusal(ACCOUNT))
        .hasMessage("Fly Sprites answered 401: " + words);
  }

  @Test
  void anEmptyBodyHasNoWordsAndALongOneIsCut() {
    assertThat(new Answer(500, "", "").refusal(ACCOUNT)).hasMessage("Fly Sprites answered 500");
    assertThat(new Answer(500, "", "x".repeat(5000)).refusal(ACCOUNT).getMessage())
        .hasSizeLessThan(400);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 409, 422})
  void theOperatorHelpsWithARefusal(int status) {
    assertThat(new Answer(status, "", "").refusal(ACCOUNT))
        .isInstanceOf(BackendException.Rejected.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504, 599})
  void timeHelpsWithTrouble(int status) {
    assertThat(new Answer(status, "", "").refusal(ACCOUNT))
        .isInstanceOf(BackendException.Unavailable.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 301, 302, 307, 404, 418})
  void aDeveloperHelpsWithTheRest(int status) {
    assertThat(new Answer(status, "", "").refusal(ACCOUNT))
        .isInstanceOf(BackendException.Unexpected.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | {} | 0",
        "7 | {} | 7",
        "7 | {\"retry_after_seconds\":3} | 3",
        "'' | {\"retry_after_seconds\":3} | 3",
        "soon | {\"retry_after_seconds\":\"later\"} | 0",
        "-5 | {} | 0",
        "1e99 | {} | 0",
        "NaN | {} | 0"
      })
  void howLongToWaitIsReadFromTheBodyFirst(String header, String body, int seconds) {
    assertThat(new Answer(429, header, body).refusal(ACCOUNT))
        .isInstanceOfSatisfying(
            BackendException.Unavailable.class,
            it -> assertThat(it.retryAfter()).isEqualTo(Duration.ofSeconds(seconds)));
  }

  @Test
  void noSecretIsPrintedAndNoneIsInAnAddress() {
    assertThat(ACCOUNT.toString()).doesNotContain("secret");
    assertThat(ACCOUNT.exec("name", java.util.List.of("sh", "-c", "a b+c&d")).toString())
        .isEqualTo(
            "wss://api.sprites.dev/v1/sprites/name/exec?path=sh&cmd=sh&cmd=-c&cmd=a%20b%2Bc%26d"
                + "&stdin=true&max_run_after_disconnect=1h");
    assertThat(new Answer(200, "", "secret").toString()).doesNotContain("secret");
  }
}
