package mesh;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mesh.database.TestDatabase;
import mesh.execution.BackendProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A whole Mesh in this JVM: real context, real HTTP on loopback, real PostgreSQL. Used as its users
 * use it, over the wire.
 */
public final class TestMesh implements AutoCloseable {

  public static final JsonMapper JSON = new JsonMapper();

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private final ServletWebServerApplicationContext context;
  private final Path folder;
  private final String url;

  private TestMesh(ServletWebServerApplicationContext context, Path folder) {
    this.context = context;
    this.folder = folder;
    this.url = "http://127.0.0.1:" + requireNonNull(context.getWebServer()).getPort();
  }

  /** On a fresh database. */
  public static TestMesh start(String... properties) {
    return on(TestDatabase.fresh(), properties);
  }

  /** On a fresh database, with backends beside those of this build. */
  public static TestMesh with(BackendProvider... backends) {
    return on(TestDatabase.fresh(), List.of(backends));
  }

  /** On a database that others may use too, with backends beside those of this build. */
  public static TestMesh with(
      TestDatabase database, List<BackendProvider> backends, String... properties) {
    return on(database, backends, properties);
  }

  /** A further server on a database that others may use too. */
  public static TestMesh on(TestDatabase database, String... properties) {
    return on(database, List.of(), properties);
  }

  /** On whatever PostgreSQL answers at an address. */
  public static TestMesh at(String url, String... properties) {
    return at(url, List.of(), properties);
  }

  private static TestMesh on(
      TestDatabase database, List<BackendProvider> backends, String... properties) {
    return at(database.url(), backends, properties);
  }

  private static TestMesh at(String url, List<BackendProvider> backends, String... properties) {
    try {
      var folder = Files.createTempDirectory("mesh-test-");
      var arguments = new ArrayList<String>();
      arguments.add("--server.port=0");
      arguments.add("--spring.datasource.url=" + url);
      arguments.add("--mesh.data-dir=" + folder);
      for (var property : properties) {
        arguments.add("--" + property);
      }
      var application = application();
      for (var backend : backends) {
        application.addInitializers(starting ->
            starting
                .getBeanFactory()
                .registerSingleton(backend.descriptor().name().value(), backend));
      }
      var context =
          (ServletWebServerApplicationContext) application.run(arguments.toArray(String[]::new));
      return new TestMesh(context, folder);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Mesh without what tests have on the class path, for tests that start it in their own way. */
  public static SpringApplication application() {
    var application = new SpringApplication(MeshApplication.class);
    application.addInitializers(starting ->
        starting.getBeanFactory().registerSingleton("noTestClasses", new NoTestClasses()));
    return application;
  }

  public String url() {
    return url;
  }

  public Path folder() {
    return folder;
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** As if the server itself had said so. */
  public void publish(Object event) {
    context.publishEvent(event);
  }

  /** An operator with the token of the first start. */
  public Client admin() {
    try {
      return new Client(url, Files.readString(folder.resolve("bootstrap-token")).strip());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  public Client with(String token) {
    return new Client(url, token);
  }

  @Override
  public void close() {
    context.close();
    FileSystemUtils.deleteRecursively(folder.toFile());
  }

  /** One caller with one bearer token. */
  public record Client(String url, String token) {

    public Answer get(String path) {
      return send(request(path).GET());
    }

    public Answer post(String path, String body) {
      return send(
          request(path)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public Answer post(String path, JsonNode body) {
      return post(path, JSON.writeValueAsString(body));
    }

    public Answer put(String path, String body) {
      return send(
          request(path)
              .header("Content-Type", "application/json")
              .PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    public Answer patch(String path, String body) {
      return send(
          request(path)
              .header("Content-Type", "application/json")
              .method("PATCH", HttpRequest.BodyPublishers.ofString(body)));
    }

    public Answer delete(String path) {
      return send(request(path).DELETE());
    }

    /** The lines of a stream of events, until it ends. */
    public List<String> events(String path, String body) {
      var request =
          request(path)
              .header("Content-Type", "application/json")
              .header("Accept", "text/event-stream");
      return send(body.isEmpty()
              ? request.GET()
              : request.POST(HttpRequest.BodyPublishers.ofString(body)))
          .text()
          .lines()
          .toList();
    }

    /** Reads one line of a stream of events and closes the connection. */
    public void hangUpAfterFirstEvent(String path, String body) {
      var request =
          request(path)
              .header("Content-Type", "application/json")
              .header("Accept", "text/event-stream")
              .POST(HttpRequest.BodyPublishers.ofString(body));
      try (var http = HttpClient.newHttpClient()) {
        var response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        int first = response.body().read();
        response.body().close();
        http.shutdownNow();
        if (first < 0) {
          throw new AssertionError("the stream was empty");
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    /** Calls a tool as the agent this token belongs to. */
    public Answer tool(String name, String arguments) {
      return post("/api/agent/tools/" + name, arguments);
    }

    /** {@code workspace_exec} of an argv. */
    public JsonNode exec(String... argv) {
      var arguments = JSON.createObjectNode();
      var list = arguments.putArray("argv");
      for (var argument : argv) {
        list.add(argument);
      }
      return tool("workspace_exec", arguments.toString()).ok();
    }

    private HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(URI.create(url + path))
          .timeout(Duration.ofSeconds(120))
          .header("Authorization", "Bearer " + token);
    }

    private static Answer send(HttpRequest.Builder request) {
      try {
        var response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        Canaries.observe(response.headers().toString());
        Canaries.observe(response.body());
        return new Answer(
            response.statusCode(),
            response.headers().firstValue("Content-Type").orElse(""),
            response.body());
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  /** One answer. */
  public record Answer(int status, String contentType, String text) {

    public JsonNode json() {
      return JSON.readTree(text);
    }

    /** The body of an answer that must be a success. */
    public JsonNode ok() {
      if (status >= 300) {
        throw new AssertionError("answered " + status + ": " + text);
      }
      return text.isEmpty() ? JSON.createObjectNode() : json();
    }

    /** The code of an answer that must be a problem. */
    public String code() {
      if (status < 400 || !contentType.startsWith("application/problem+json")) {
        throw new AssertionError("not a problem but " + status + " " + contentType + ": " + text);
      }
      return json().path("code").asString();
    }
  }
}
