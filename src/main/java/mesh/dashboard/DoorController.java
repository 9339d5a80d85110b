package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import mesh.dashboard.view.SignInPage;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The ways in, and the choice of colours. */
@Controller
class DoorController {

  private final Frames frames;

  DoorController(Frames frames) {
    this.frames = frames;
  }

  @GetMapping("/")
  String home() {
    return "redirect:/runs";
  }

  @GetMapping("/sign-in")
  ModelAndView signIn(HttpServletRequest request) {
    boolean failed = request.getParameter("error") != null;
    boolean left = request.getParameter("signed-out") != null;
    return new ModelAndView(
        "sign-in",
        "page",
        new SignInPage(
            frames.frame(request),
            failed ? "Name and password do not belong together. Check both and try again." : "",
            left ? "You are signed out." : "",
            false));
  }

  /** For browsers without scripts; scripts set the cookie themselves. */
  @PostMapping("/theme")
  String theme(
      @RequestParam String theme,
      @RequestParam(defaultValue = "/") String back,
      HttpServletRequest request,
      HttpServletResponse response) {
    response.addHeader(
        HttpHeaders.SET_COOKIE,
        ResponseCookie.from(Theme.COOKIE, Theme.of(theme).word())
            .path("/")
            .maxAge(Duration.ofDays(365))
            .sameSite("Lax")
            .secure(request.isSecure())
            .build()
            .toString());
    return "redirect:" + local(back);
  }

  /** Never an address of elsewhere: one slash, then no slash or backslash. */
  static String local(String address) {
    boolean leaves =
        !address.startsWith("/")
            || address.startsWith("//")
            || address.indexOf('\\') >= 0
            || address.chars().anyMatch(it -> it < 0x20);
    return leaves ? "/" : address;
  }
}
