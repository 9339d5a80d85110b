package mesh.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import mesh.workspace.Glob.Token;

/** Reads one pattern without alternatives. */
final class GlobReader {

  private final int[] text;
  private int at;

  GlobReader(String text) {
    this.text = text.codePoints().toArray();
  }

  List<Token> read() {
    var tokens = new ArrayList<Token>();
    while (at < text.length) {
      int next = text[at++];
      tokens.add(
          switch (next) {
            case '*' -> star();
            case '?' -> new Glob.One(_ -> true);
            case '[' -> set();
            case '\\' -> escaped();
            default -> new Glob.Literal(next);
          });
    }
    return tokens;
  }

  private Token star() {
    if (at == text.length || text[at] != '*') {
      return new Glob.Name();
    }
    boolean beginsName = at == 1 || text[at - 2] == '/';
    at++;
    if (beginsName && at < text.length && text[at] == '/') {
      at++;
      return new Glob.Directories();
    }
    return new Glob.Anything();
  }

  private Token escaped() {
    if (at == text.length) {
      throw new IllegalArgumentException("it ends with a backslash");
    }
    return new Glob.Literal(text[at++]);
  }

  private Token set() {
    boolean not = at < text.length && (text[at] == '!' || text[at] == '^');
    if (not) {
      at++;
    }
    IntPredicate set = _ -> false;
    int begin = at;
    // A ] that comes first is one of the set.
    while (at < text.length && (text[at] != ']' || at == begin)) {
      int from = text[at++];
      int to = from;
      if (at + 1 < text.length && text[at] == '-' && text[at + 1] != ']') {
        to = text[at + 1];
        at += 2;
      }
      set = set.or(range(from, to));
    }
    if (at >= text.length) {
      throw new IllegalArgumentException("a [ has no ]");
    }
    at++;
    return new Glob.One(not ? set.negate() : set);
  }

  private static IntPredicate range(int from, int to) {
    return character -> from <= character && character <= to;
  }
}
