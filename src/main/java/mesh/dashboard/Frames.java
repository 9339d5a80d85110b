package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import mesh.access.Operator;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Frame;
import mesh.dashboard.view.Shell;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.stereotype.Component;

/** Puts together what surrounds a page. */
@Component
class Frames {

  private final Assets assets;
  private final Banners banners;

  Frames(Assets assets, Banners banners) {
    this.assets = assets;
    this.banners = banners;
  }

  /** For pages of nobody in particular. Asks no database. */
  Frame frame(HttpServletRequest request) {
    String theme = Theme.of(request).word();
    if (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken csrf) {
      return new Frame(theme, csrf.getParameterName(), csrf.getToken(), assets.links());
    }
    // Only where the security chain did not run: such a page has no forms.
    return new Frame(theme, "_csrf", "", assets.links());
  }

  Shell shell(HttpServletRequest request, Operator operator, String section) {
    String query = request.getQueryString();
    return new Shell(
        frame(request),
        VisibleText.line(operator.name()),
        operator.role().name().toLowerCase(Locale.ROOT),
        section,
        request.getRequestURI() + (query == null ? "" : "?" + query),
        "",
        banners.current());
  }
}
