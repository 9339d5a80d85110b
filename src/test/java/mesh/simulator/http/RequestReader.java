package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads the heads of the requests of one connection. */
final class RequestReader {

  /** As Go's server: the line and all fields together. A long argument vector sits in the URL. */
  private static final int MAX_HEAD_BYTES = 1024 * 1024;

  private final InputStream in;
  private int budget;

  RequestReader(InputStream in) {
    this.in = in;
  }

  /** Empty if the client closed between two requests. */
  Optional<Request> next() throws IOException {
    budget = MAX_HEAD_BYTES;
    var first = line();
    if (first.isEmpty()) {
      return Optional.empty();
    }
    var words = first.get().split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.") || !words[1].startsWith("/")) {
      throw new IOException("not a request line of HTTP/1.1");
    }
    var headers = new Headers();
    for (var field = someLine(); !field.isEmpty(); field = someLine()) {
      var colon = field.indexOf(':');
      if (colon < 1) {
        throw new IOException("not a header field: " + field);
      }
      headers.add(field.substring(0, colon), field.substring(colon + 1).strip());
    }
    var question = words[1].indexOf('?');
    var path = question < 0 ? words[1] : words[1].substring(0, question);
    var query = question < 0 ? "" : words[1].substring(question + 1);
    return Optional.of(new Request(words[0], path, new Query(query), headers));
  }

  private String someLine() throws IOException {
    return line().orElseThrow(() -> new EOFException("the connection ended inside a head"));
  }

  private Optional<String> line() throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (var next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        return Optional.empty();
      }
      if (--budget < 0) {
        throw new IOException("the head is larger than " + MAX_HEAD_BYTES + " bytes");
      }
      bytes.write(next);
    }
    var line = bytes.toString(ISO_8859_1);
    return Optional.of(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
  }
}
