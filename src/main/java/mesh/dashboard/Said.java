package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import mesh.dashboard.view.Banner;
import mesh.dashboard.view.Mark;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.servlet.support.RequestContextUtils;

/** What a form just did, told once on the page that follows. */
final class Said {

  private static final String MARK = "said.mark";
  private static final String TITLE = "said.title";
  private static final String TEXT = "said.text";

  private Said() {}

  static void on(RedirectAttributes next, Mark mark, String title, String text) {
    next.addFlashAttribute(MARK, mark.name());
    next.addFlashAttribute(TITLE, title);
    next.addFlashAttribute(TEXT, text);
  }

  /** One or none. */
  static List<Banner> to(HttpServletRequest request) {
    Map<String, ?> said = RequestContextUtils.getInputFlashMap(request);
    if (said == null
        || !(said.get(MARK) instanceof String mark)
        || !(said.get(TITLE) instanceof String title)
        || !(said.get(TEXT) instanceof String text)) {
      return List.of();
    }
    return List.of(new Banner(Mark.valueOf(mark), title, text));
  }
}
