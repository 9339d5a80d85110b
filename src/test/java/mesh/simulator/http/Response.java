package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer, whole or written piece by piece. */
public record Response(int status, Map<String, String> headers, Body body) {

  public Response {
    headers = Map.copyOf(headers);
  }

  /** What follows the head. */
  public sealed interface Body {}

  /** A body of known length. */
  // Handed over once and never compared.
  @SuppressWarnings("ArrayRecordComponent")
  public record Whole(byte[] bytes) implements Body {}

  /** A chunked body: every write to the stream is one chunk and leaves at once. */
  public record Streamed(Source source) implements Body {}

  /** Writes a streamed body. */
  @FunctionalInterface
  public interface Source {
    void writeTo(OutputStream out) throws IOException, InterruptedException;
  }

  public static Response empty(int status) {
    return new Response(status, Map.of(), new Whole(new byte[0]));
  }

  public static Response text(int status, String text) {
    return of(status, "text/plain; charset=utf-8", text.getBytes(UTF_8));
  }

  public static Response json(int status, String json) {
    return of(status, "application/json", json.getBytes(UTF_8));
  }

  public static Response of(int status, String contentType, byte[] bytes) {
    return new Response(status, Map.of("Content-Type", contentType), new Whole(bytes));
  }

  public static Response streamed(String contentType, Source source) {
    return new Response(200, Map.of("Content-Type", contentType), new Streamed(source));
  }

  /** The same answer with one more header field. */
  public Response with(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Response(status, more, body);
  }
}
