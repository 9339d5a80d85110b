package mesh.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Draws a {@link Problem} for a person with a browser. Status and headers are set already; an
 * implementation writes the body. The dashboard brings the one with Mesh's looks; without it there
 * is a line of text.
 */
public interface ErrorPage {

  void write(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException;
}
