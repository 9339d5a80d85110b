package mesh.dashboard;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;

/** Light or dark, as the operator chose on this device or as the system has it. */
enum Theme {
  AUTO,
  LIGHT,
  DARK;

  /** Read and written by scripts too. */
  static final String COOKIE = "mesh_theme";

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Theme of(String word) {
    for (Theme theme : values()) {
      if (theme.word().equals(word)) {
        return theme;
      }
    }
    return AUTO;
  }

  static Theme of(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(COOKIE)) {
          return of(cookie.getValue());
        }
      }
    }
    return AUTO;
  }
}
