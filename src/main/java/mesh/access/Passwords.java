package mesh.access;

import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Passwords of people: bcrypt with cost 12. Their SHA-256 goes in, since bcrypt reads no more than
 * 72 bytes; the scheme is written in front of the hash, so that a better one can follow.
 */
@Component
final class Passwords {

  static final int SHORTEST = 12;

  private static final int LONGEST = 1024;
  private static final String SCHEME = "{bcrypt-sha256}";

  /** What people choose when they are told twelve characters. */
  private static final Set<String> COMMON =
      Set.of(
          "password1234",
          "password12345",
          "password123456",
          "password123!",
          "password1234!",
          "passwordpassword",
          "p@ssword1234",
          "p@ssw0rd1234",
          "passw0rd1234",
          "123456789012",
          "1234567890123",
          "12345678901234",
          "123456781234",
          "123123123123",
          "123412341234",
          "012345678901",
          "111122223333",
          "098765432109",
          "abcdefghijkl",
          "abcdefghijklm",
          "abcd1234abcd",
          "abc123abc123",
          "qwertyuiop12",
          "qwertyuiop123",
          "qwertyuiop[]",
          "qwertyuiopas",
          "qwertyuiopasdfgh",
          "qwerty123456",
          "qwerty1234567",
          "qwertyqwerty",
          "1q2w3e4r5t6y",
          "1qaz2wsx3edc",
          "1qaz2wsx3edc4rfv",
          "zaq12wsxcde3",
          "asdfghjkl123",
          "asdfghjklqwe",
          "iloveyou1234",
          "iloveyouiloveyou",
          "letmein12345",
          "letmeinletmein",
          "welcome12345",
          "welcome123456",
          "welcomewelcome",
          "administrator",
          "administrator1",
          "admin1234567",
          "admin12345678",
          "adminadminadmin",
          "admin@123456",
          "changeme1234",
          "changemechangeme",
          "changemenow1",
          "trustno1trustno1",
          "superman1234",
          "football1234",
          "monkey123456",
          "dragon123456",
          "sunshine1234",
          "princess1234",
          "correcthorsebatterystaple",
          "correct horse battery staple",
          "meshmeshmesh",
          "meshmesh1234");

  private final BCryptPasswordEncoder bcrypt;

  /** Of no password at all; compared with when there is no such person, to take the same time. */
  private final String nobody;

  Passwords(SecureRandom random) {
    this.bcrypt = new BCryptPasswordEncoder(12, random);
    this.nobody = hash(TokenKind.randomText(random));
  }

  /** The code of why it may not be a password of this person, or empty. */
  static Optional<String> complaint(String password, String name) {
    if (password.codePointCount(0, password.length()) < SHORTEST) {
      return Optional.of("password_short");
    }
    if (password.length() > LONGEST) {
      return Optional.of("password_long");
    }
    String plain = password.toLowerCase(Locale.ROOT);
    boolean oneCharacter = plain.chars().distinct().count() < 3;
    return COMMON.contains(plain) || oneCharacter || plain.equals(name.toLowerCase(Locale.ROOT))
        ? Optional.of("password_common")
        : Optional.empty();
  }

  String hash(String password) {
    return SCHEME + bcrypt.encode(digest(password));
  }

  boolean matches(String password, String hash) {
    return hash.startsWith(SCHEME)
        && bcrypt.matches(digest(password), hash.substring(SCHEME.length()));
  }

  /** False, after as long as {@link #matches} takes. */
  boolean matchesNobody(String password) {
    boolean _ = matches(password, nobody);
    return false;
  }

  private static String digest(String password) {
    // The same characters are typed as different bytes on different systems.
    String normal = Normalizer.normalize(password, Normalizer.Form.NFC);
    return Base64.getEncoder().encodeToString(TokenKind.sha256(normal));
  }
}
