package mesh.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mesh.Canaries;
import mesh.TestMesh;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * MCP as bytes on a wire, for what no honest client would send.
 *
 * @param token empty for none
 * @param session empty for none
 */
record McpWire(String url, String token, String session) {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** As {@code token}'s run, in a session of its own. */
  static McpWire open(String url, String token) {
    var wire = new McpWire(url, token, "");
    var answer = wire.post(request(0, "initialize", initialize("2025-11-25")));
    return wire.in(answer.headers().firstValue("Mcp-Session-Id").orElseThrow());
  }

  McpWire in(String other) {
    return new McpWire(url, token, other);
  }

  static ObjectNode initialize(String version) {
    var params = TestMesh.JSON.createObjectNode().put("protocolVersion", version);
    params.putObject("capabilities");
    params.putObject("clientInfo").put("name", "wire").put("version", "1");
    return params;
  }

  static String request(int id, String method, JsonNode params) {
    return TestMesh.JSON
        .createObjectNode()
        .put("jsonrpc", "2.0")
        .put("id", id)
        .put("method", method)
        .set("params", params)
        .toString();
  }

  static String call(int id, String tool, String arguments) {
    return request(id, "tools/call", params(tool, arguments));
  }

  static String callWithProgress(int id, String tool, String arguments) {
    var params = params(tool, arguments);
    params.putObject("_meta").put("progressToken", "token-" + id);
    return request(id, "tools/call", params);
  }

  private static ObjectNode params(String tool, String arguments) {
    return TestMesh.JSON
        .createObjectNode()
        .put("name", tool)
        .set("arguments", TestMesh.JSON.readTree(arguments));
  }

  static String script(String script) {
    return TestMesh.JSON.createObjectNode().put("script", script).toString();
  }

  void cancel(int id) {
    var params = TestMesh.JSON.createObjectNode().put("requestId", id);
    var notification =
        TestMesh.JSON
            .createObjectNode()
            .put("jsonrpc", "2.0")
            .put("method", "notifications/cancelled")
            .set("params", params);
    var answer = post(notification.toString());
    if (answer.statusCode() != 202) {
      throw new AssertionError("answered " + answer.statusCode() + ": " + answer.body());
    }
  }

  /** What the answer to a request says, whether it came as JSON or as a stream. */
  JsonNode ask(String request) {
    var answer = post(request);
    if (answer.statusCode() != 200) {
      throw new AssertionError("answered " + answer.statusCode() + ": " + answer.body());
    }
    var body = answer.body();
    return TestMesh.JSON.readTree(
        body.startsWith("{")
            ? body
            : body.lines()
                .filter(line -> line.startsWith("data: "))
                .reduce((_, last) -> last)
                .orElseThrow()
                .substring("data: ".length()));
  }

  HttpResponse<String> post(String body, String... headers) {
    return send("POST", body, headers);
  }

  HttpResponse<String> send(String method, String body, String... headers) {
    try {
      var answer = HTTP.send(request(method, body, headers), HttpResponse.BodyHandlers.ofString());
      Canaries.observe(answer.headers().toString());
      Canaries.observe(answer.body());
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** On a connection of its own, read by and by. */
  Reading stream(String body) {
    try {
      var http = HttpClient.newHttpClient();
      var answer = http.send(request("POST", body), HttpResponse.BodyHandlers.ofInputStream());
      return new Reading(http, answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest request(String method, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create(url + "/mcp"))
            .timeout(Duration.ofMinutes(2))
            .header("Accept", "application/json, text/event-stream")
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (!session.isEmpty()) {
      request.header("Mcp-Session-Id", session);
    }
    return (headers.length == 0 ? request : request.headers(headers)).build();
  }

  /** A stream of messages that is being read. */
  static final class Reading implements AutoCloseable {

    private final HttpClient http;
    private final HttpResponse<InputStream> answer;
    private final BufferedReader lines;

    private Reading(HttpClient http, HttpResponse<InputStream> answer) {
      this.http = http;
      this.answer = answer;
      this.lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8));
    }

    String contentType() {
      return answer.headers().firstValue("Content-Type").orElse("");
    }

    /** The next message; empty at the end. */
    Optional<JsonNode> next() {
      try {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Canaries.observe(line);
          if (line.startsWith("data: ")) {
            return Optional.of(TestMesh.JSON.readTree(line.substring("data: ".length())));
          }
        }
        return Optional.empty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    List<JsonNode> rest() {
      var messages = new ArrayList<JsonNode>();
      for (var next = next(); next.isPresent(); next = next()) {
        messages.add(next.get());
      }
      return messages;
    }

    /** Closes the connection at once. */
    @Override
    public void close() {
      try {
        answer.body().close();
      } catch (IOException gone) {
        // That is what is wanted.
        return;
      } finally {
        http.shutdownNow();
      }
    }
  }
}
