package mesh.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordsTest {

  private final Passwords passwords = new Passwords(new SecureRandom());

  @Test
  void allOfALongPasswordCounts() {
    String long80 = "x".repeat(80);
    String hash = passwords.hash(long80 + "a");

    assertThat(passwords.matches(long80 + "a", hash)).isTrue();
    assertThat(passwords.matches(long80 + "b", hash)).isFalse();
    assertThat(hash).startsWith("{bcrypt-sha256}$2a$12$").doesNotContain(long80);
  }

  @Test
  void theSameCharactersAreTheSamePassword() {
    assertThat(passwords.matches("cafe\u0301 au lait", passwords.hash("caf\u00e9 au lait")))
        .isTrue();
  }

  @Test
  void nobodyHasAPassword() {
    assertThat(passwords.matchesNobody("a few unrelated words")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "elevenchars,           password_short",
    "Password1234,          password_common",
    "aaaaaaaaaaaaaa,        password_common",
    "somebody.long,         password_common",
    "a few unrelated words, ''",
  })
  void someMayNotBeChosen(String password, String code) {
    assertThat(Passwords.complaint(password, "Somebody.Long").orElse("")).isEqualTo(code);
  }
}
