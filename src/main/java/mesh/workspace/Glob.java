package mesh.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A pattern for paths: {@code *} and {@code ?} within a name, {@code **} across directories, {@code
 * [a-z]} and {@code [!a-z]}, {@code {a,b}}, and a backslash before what is meant as it is. Takes
 * time in proportion to pattern and path, whatever they are.
 */
final class Glob {

  private final List<List<Token>> alternatives;

  private Glob(List<List<Token>> alternatives) {
    this.alternatives = List.copyOf(alternatives);
  }

  /**
   * @throws IllegalArgumentException if it is none, with why
   */
  static Glob of(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("it holds a NUL character");
    }
    var alternatives = new ArrayList<List<Token>>();
    for (var plain : Braces.expand(text.startsWith("./") ? text.substring(2) : text)) {
      alternatives.add(new GlobReader(plain).read());
    }
    return new Glob(alternatives);
  }

  /** One without a slash is a name in any directory. */
  static Glob anywhere(String text) {
    return of(text.contains("/") ? text : "**/" + text);
  }

  /**
   * @param path relative, without {@code ./} before it
   */
  boolean matches(String path) {
    var characters = path.codePoints().toArray();
    return alternatives.stream().anyMatch(tokens -> matches(tokens, characters));
  }

  /**
   * What {@code find -path} takes, where {@code *} crosses slashes: together they fit all that this
   * fits, and more.
   */
  List<String> wide() {
    return alternatives.stream().map(Glob::wide).distinct().toList();
  }

  private static String wide(List<Token> tokens) {
    var wide = new StringBuilder("./");
    boolean star = false;
    for (var token : tokens) {
      if (token instanceof Literal(var character)) {
        wide.append("*?[\\".indexOf(character) >= 0 ? "\\" : "").appendCodePoint(character);
        star = false;
      } else if (!star) {
        wide.append('*');
        star = true;
      }
    }
    return wide.toString();
  }

  /** Which beginnings of the path fit the tokens so far, token by token. */
  private static boolean matches(List<Token> tokens, int[] path) {
    var reached = new boolean[path.length + 1];
    reached[0] = true;
    for (var token : tokens) {
      var next = new boolean[path.length + 1];
      for (int at = 0; at <= path.length; at++) {
        switch (token) {
          case Literal(var character) ->
              next[at] = at > 0 && reached[at - 1] && path[at - 1] == character;
          case One(var set) ->
              next[at] = at > 0 && reached[at - 1] && path[at - 1] != '/' && set.test(path[at - 1]);
          case Name() -> next[at] = reached[at] || (at > 0 && next[at - 1] && path[at - 1] != '/');
          case Anything() -> next[at] = reached[at] || (at > 0 && next[at - 1]);
          case Directories() ->
              next[at] = reached[at] || (at > 0 && path[at - 1] == '/' && any(reached, at));
        }
      }
      reached = next;
    }
    return reached[path.length];
  }

  private static boolean any(boolean[] reached, int before) {
    for (int at = 0; at < before; at++) {
      if (reached[at]) {
        return true;
      }
    }
    return false;
  }

  /** What a pattern is made of. */
  sealed interface Token {}

  record Literal(int character) implements Token {}

  /** One character that is no slash. */
  record One(IntPredicate set) implements Token {}

  /** A part of a name. */
  record Name() implements Token {}

  record Anything() implements Token {}

  /** Whole directories with their slashes, or none. */
  record Directories() implements Token {}
}
