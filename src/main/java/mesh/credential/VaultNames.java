package mesh.credential;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** How names of vault entries become names of variables. */
public final class VaultNames {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");
  private static final Pattern NOT_IN_A_VARIABLE = Pattern.compile("[^A-Z0-9_]");

  static final String RULE =
      "1 to 64 letters, digits, underscores, dots and dashes, of which the first is no dot or dash";

  private VaultNames() {}

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * {@code MESH_SECRET_} and the name, in upper case as no locale would have it otherwise, with an
   * underscore for whatever a variable's name cannot hold. The prefix keeps any name, such as
   * {@code PATH}, from meaning something to the shell.
   */
  public static String variable(String name) {
    return "MESH_SECRET_"
        + NOT_IN_A_VARIABLE.matcher(name.toUpperCase(Locale.ROOT)).replaceAll("_");
  }

  /** Two of the names that would meet at one variable, if there are any. */
  public static Optional<Collision> collision(List<String> names) {
    Map<String, String> taken = new HashMap<>();
    for (var name : names) {
      var other = taken.putIfAbsent(variable(name), name);
      if (other != null) {
        return Optional.of(new Collision(other, name, variable(name)));
      }
    }
    return Optional.empty();
  }

  /** Two names for one variable. */
  public record Collision(String first, String second, String variable) {}
}
