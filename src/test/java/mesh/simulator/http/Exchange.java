package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;

/**
 * One request and the ways to answer it: an answer, an upgrade, or a dropped connection. Used by
 * the thread that handles it.
 */
public final class Exchange {

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final Request request;
  private final RequestBody body;
  private boolean reusable;

  Exchange(Socket socket, InputStream in, Request request) throws IOException {
    this.socket = socket;
    this.in = in;
    this.out = new BufferedOutputStream(socket.getOutputStream(), 64 * 1024);
    this.request = request;
    this.body = new RequestBody(request.headers(), in, out);
  }

  public Request request() {
    return request;
  }

  /** The whole body, or empty if it is larger than {@code maxBytes}. */
  public Optional<byte[]> body(int maxBytes) throws IOException {
    var bytes = body.readNBytes(maxBytes);
    return body.read() < 0 ? Optional.of(bytes) : Optional.empty();
  }

  /** Answers; the connection is kept for the next request unless the client asked otherwise. */
  public void respond(Response response) throws IOException, InterruptedException {
    switch (response.body()) {
      case Response.Whole(var bytes) -> {
        head(
            response,
            response.status() == 204 ? Map.of() : Map.of("Content-Length", "" + bytes.length));
        if (!request.method().equals("HEAD")) {
          out.write(bytes);
        }
        out.flush();
      }
      case Response.Streamed(var source) -> {
        head(response, Map.of("Transfer-Encoding", "chunked"));
        out.flush();
        var chunks = new ChunkedOutput(out);
        source.writeTo(chunks);
        chunks.finish();
      }
    }
    reusable = !request.headers().lists("Connection", "close") && drained();
  }

  /**
   * Accepts a WebSocket.
   *
   * @param more header fields of the answer beside those of the protocol, for example {@code
   *     Sec-WebSocket-Protocol}
   */
  public WebSocket upgrade(Map<String, String> more) throws IOException {
    var key = request.headers().first("Sec-WebSocket-Key").orElse("");
    var response = new Response(101, more, new Response.Whole(new byte[0]));
    head(
        response,
        Map.of(
            "Upgrade", "websocket",
            "Connection", "Upgrade",
            "Sec-WebSocket-Accept", WebSocket.acceptOf(key)));
    out.flush();
    return new WebSocket(socket, in, out);
  }

  /** Ends the connection with a reset: the client learns nothing more. */
  public void drop() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Says nothing until the client gives up. */
  public void ignore() throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  boolean reusable() {
    return reusable;
  }

  private boolean drained() throws IOException {
    return !body.awaitsContinue() && body.skip(64L * 1024 * 1024) >= 0 && body.read() < 0;
  }

  private void head(Response response, Map<String, String> framing) throws IOException {
    var head = new StringBuilder("HTTP/1.1 " + response.status() + " " + word(response.status()));
    response.headers().forEach((name, value) -> head.append("\r\n" + name + ": " + value));
    framing.forEach((name, value) -> head.append("\r\n" + name + ": " + value));
    out.write(head.append("\r\n\r\n").toString().getBytes(ISO_8859_1));
  }

  private static String word(int status) {
    return switch (status) {
      case 101 -> "Switching Protocols";
      case 200 -> "OK";
      case 201 -> "Created";
      case 204 -> "No Content";
      case 404 -> "Not Found";
      case 429 -> "Too Many Requests";
      default -> status < 400 ? "OK" : status < 500 ? "Client Error" : "Server Error";
    };
  }
}
