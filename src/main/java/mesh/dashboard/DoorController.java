package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import mesh.access.SetupState;
import mesh.dashboard.view.SetUpPage;
import mesh.dashboard.view.SignInPage;
import org.jspecify.annotations.Nullable;
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
  private final SetupState setup;

  DoorController(Frames frames, SetupState setup) {
    this.frames = frames;
    this.setup = setup;
  }

  @GetMapping("/")
  String home() {
    return "redirect:/runs";
  }

  @GetMapping("/sign-in")
  ModelAndView signIn(
      @RequestParam(required = false) @Nullable String error, HttpServletRequest request) {
    boolean left = request.getParameter("signed-out") != null;
    return new ModelAndView(
        "sign-in",
        "page",
        new SignInPage(
            frames.frame(request),
            error == null ? "" : DoorWords.signInProblem(error),
            left ? "You are signed out." : "",
            setup.isOpen()));
  }

  /** Behind the one-time link; {@code access} answers 404 here once the first account is made. */
  @GetMapping("/setup")
  ModelAndView setUp(
      @RequestParam(defaultValue = "") String token,
      @RequestParam(required = false) @Nullable String error,
      HttpServletRequest request) {
    return new ModelAndView(
        "setup",
        "page",
        new SetUpPage(
            frames.frame(request),
            !token.isEmpty() && setup.accepts(token),
            token,
            token.isEmpty() && error == null,
            error == null ? List.of() : List.of(DoorWords.setUpProblem(error))));
  }

  /** For browsers without scripts; scripts set the cookie themselves. */
  @PostMapping("/account/theme")
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
