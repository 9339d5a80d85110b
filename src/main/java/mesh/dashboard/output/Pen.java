package mesh.dashboard.output;

import java.util.ArrayList;
import java.util.List;

/** The style a terminal writes with, as its SGR sequences ("select graphic rendition") left it. */
final class Pen {

  private static final int NONE = -1;

  /** The 16 colours' usual values: what a colour of 24 bits is compared with. */
  private static final int[] PALETTE = {
    0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xcccccc,
    0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff
  };

  private int foreground = NONE;
  private int background = NONE;
  private boolean bold;
  private boolean faint;
  private boolean italic;
  private boolean underlined;
  private boolean inverse;
  private boolean struck;

  /** Follows one sequence, given as its parameters; what it does not know it ignores. */
  void apply(List<Integer> codes) {
    for (int i = 0; i < codes.size(); i++) {
      int code = codes.get(i);
      if (code == 38 || code == 48) {
        i += extended(codes, i, code == 38);
      } else {
        simple(code);
      }
    }
  }

  private void simple(int code) {
    switch (code) {
      case 0 -> reset();
      case 1 -> bold = true;
      case 2 -> faint = true;
      case 3 -> italic = true;
      case 4, 21 -> underlined = true;
      case 7 -> inverse = true;
      case 9 -> struck = true;
      case 22 -> bold = faint = false;
      case 23 -> italic = false;
      case 24 -> underlined = false;
      case 27 -> inverse = false;
      case 29 -> struck = false;
      case 39 -> foreground = NONE;
      case 49 -> background = NONE;
      default -> colour(code);
    }
  }

  private void colour(int code) {
    if (code >= 30 && code <= 37) {
      foreground = code - 30;
    } else if (code >= 40 && code <= 47) {
      background = code - 40;
    } else if (code >= 90 && code <= 97) {
      foreground = code - 90 + 8;
    } else if (code >= 100 && code <= 107) {
      background = code - 100 + 8;
    }
  }

  /** Takes {@code 5;n} or {@code 2;r;g;b} after position i; returns how many parameters it took. */
  private int extended(List<Integer> codes, int i, boolean front) {
    int kind = i + 1 < codes.size() ? codes.get(i + 1) : NONE;
    if (kind == 5 && i + 2 < codes.size()) {
      set(front, indexed(codes.get(i + 2)));
      return 2;
    }
    if (kind == 2 && i + 4 < codes.size()) {
      set(front, nearest(codes.get(i + 2), codes.get(i + 3), codes.get(i + 4)));
      return 4;
    }
    return codes.size() - i - 1;
  }

  private void set(boolean front, int colour) {
    if (front) {
      foreground = colour;
    } else {
      background = colour;
    }
  }

  private static int indexed(int n) {
    if (n < 16) {
      return Math.max(n, 0);
    }
    if (n >= 232) {
      int grey = 8 + (Math.min(n, 255) - 232) * 10;
      return nearest(grey, grey, grey);
    }
    int cube = n - 16;
    return nearest(cube / 36 * 51, cube / 6 % 6 * 51, cube % 6 * 51);
  }

  private static int nearest(int red, int green, int blue) {
    int best = 0;
    int bestDistance = Integer.MAX_VALUE;
    for (int i = 0; i < PALETTE.length; i++) {
      int r = (PALETTE[i] >> 16) - Math.clamp(red, 0, 255);
      int g = (PALETTE[i] >> 8 & 0xff) - Math.clamp(green, 0, 255);
      int b = (PALETTE[i] & 0xff) - Math.clamp(blue, 0, 255);
      int distance = r * r + g * g + b * b;
      if (distance < bestDistance) {
        best = i;
        bestDistance = distance;
      }
    }
    return best;
  }

  private void reset() {
    foreground = background = NONE;
    bold = faint = italic = underlined = inverse = struck = false;
  }

  /** The stylesheet's classes for this style. */
  String classes() {
    List<String> classes = new ArrayList<>();
    if (foreground != NONE) {
      classes.add("f" + foreground);
    }
    if (background != NONE) {
      classes.add("k" + background);
    }
    flag(classes, bold, "bo");
    flag(classes, faint, "fa");
    flag(classes, italic, "it");
    flag(classes, underlined, "un");
    flag(classes, struck, "st");
    flag(classes, inverse, "in");
    return String.join(" ", classes);
  }

  private static void flag(List<String> classes, boolean on, String name) {
    if (on) {
      classes.add(name);
    }
  }
}
