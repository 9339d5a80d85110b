package mesh.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import mesh.dashboard.view.AssetLinks;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.webjars.WebJarVersionLocator;

/** Stylesheet and scripts, from the jar, at addresses that change with their content. */
@Component
class Assets {

  private final AssetLinks links;

  Assets() {
    String htmx = new WebJarVersionLocator().fullPath("htmx.org", "dist/htmx.min.js");
    if (htmx == null) {
      throw new IllegalStateException("htmx is not on the class path");
    }
    this.links =
        new AssetLinks(
            own("mesh.css"),
            own("mesh.js"),
            own("live.js"),
            "/assets/vendor/"
                + htmx.substring(WebJarVersionLocator.WEBJARS_PATH_PREFIX.length() + 1),
            own("icon.svg"));
  }

  AssetLinks links() {
    return links;
  }

  private static String own(String name) {
    try (InputStream content = new ClassPathResource("static/assets/" + name).getInputStream()) {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.readAllBytes());
      return "/assets/" + name + "?v=" + HexFormat.of().formatHex(digest, 0, 6);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
