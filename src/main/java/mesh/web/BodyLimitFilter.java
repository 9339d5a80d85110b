package mesh.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses bodies over {@link BodyLimits}: at once when the length is declared, else while the body
 * is read, before anything of it was acted upon.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
final class BodyLimitFilter extends OncePerRequestFilter {

  private final Problems problems;

  BodyLimitFilter(Problems problems) {
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    int limit = BodyLimits.of(request.getRequestURI());
    if (request.getContentLengthLong() > limit) {
      // The rest of the body is not worth reading to keep the connection.
      response.setHeader("Connection", "close");
      problems.answer(new BodyTooLarge(limit).problem(), request, response);
      return;
    }
    chain.doFilter(new LimitedRequest(request, limit), response);
  }

  private static final class LimitedRequest extends HttpServletRequestWrapper {

    private final int limit;

    LimitedRequest(HttpServletRequest request, int limit) {
      super(request);
      this.limit = limit;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new LimitedStream(super.getInputStream(), limit);
    }

    @Override
    public BufferedReader getReader() throws IOException {
      String named = getCharacterEncoding();
      Charset charset = named == null ? StandardCharsets.UTF_8 : Charset.forName(named);
      return new BufferedReader(new InputStreamReader(getInputStream(), charset));
    }
  }

  private static final class LimitedStream extends ServletInputStream {

    private final ServletInputStream body;
    private final int limit;
    private long read;

    LimitedStream(ServletInputStream body, int limit) {
      this.body = body;
      this.limit = limit;
    }

    @Override
    public int read() throws IOException {
      int one = body.read();
      if (one >= 0) {
        count(1);
      }
      return one;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int many = body.read(into, offset, length);
      if (many > 0) {
        count(many);
      }
      return many;
    }

    private void count(int bytes) throws IOException {
      read += bytes;
      if (read > limit) {
        throw new BodyTooLarge(limit);
      }
    }

    @Override
    public boolean isFinished() {
      return body.isFinished();
    }

    @Override
    public boolean isReady() {
      return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      body.setReadListener(listener);
    }
  }
}
