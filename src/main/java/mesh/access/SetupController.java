package mesh.access;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.view.RedirectView;

/** The form behind the one-time link. The dashboard draws it at {@code GET /setup}. */
@Controller
final class SetupController {

  private final Setup setup;

  SetupController(Setup setup) {
    this.setup = setup;
  }

  @PostMapping("/setup")
  RedirectView complete(
      @RequestParam(defaultValue = "") String token,
      @RequestParam(defaultValue = "") String username,
      @RequestParam(defaultValue = "") String password) {
    String name = username.strip();
    return Setup.complaint(name, password)
        .map(code -> back(token, code))
        .orElseGet(() ->
            setup.complete(token, name, password)
                ? new RedirectView("/sign-in")
                : new RedirectView("/setup?error=token_invalid"));
  }

  private static RedirectView back(String token, String code) {
    return new RedirectView(
        "/setup?token=" + URLEncoder.encode(token, StandardCharsets.UTF_8) + "&error=" + code);
  }
}
