package mesh.access;

import java.util.Locale;

/** Roles as they are written in rows and JSON. */
final class Roles {

  private Roles() {}

  static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  static Role of(String word) {
    return Role.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
