package mesh.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import mesh.TestMesh;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Somebody with a browser without scripts: pages, cookies and forms over real HTTP. */
final class Person {

  static final String PASSWORD = "correct horse battery";

  private static final Pattern LINK = Pattern.compile("http://\\S+/setup\\?token=(\\S+)");
  private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

  private final HttpClient client =
      HttpClient.newBuilder()
          .cookieHandler(new CookieManager())
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final TestMesh mesh;
  private String csrf = "";

  private Person(TestMesh mesh) {
    this.mesh = mesh;
  }

  /** Makes the first account, an admin's called ada, by the link on the console. */
  static Person admin(TestMesh mesh, CapturedOutput console) {
    Matcher link = LINK.matcher(console.getAll());
    String token = "";
    while (link.find()) {
      token = link.group(1);
    }
    Person person = new Person(mesh);
    person.csrf = person.token("/setup?token=" + token);
    person.post("/setup", Map.of("token", token, "username", "ada", "password", PASSWORD));
    person.signIn("ada");
    return person;
  }

  /** A further person with the same password. */
  static Person with(TestMesh mesh, String name, String role) {
    UUID actor = UUID.randomUUID();
    JdbcClient jdbc = mesh.bean(JdbcClient.class);
    jdbc.sql("insert into actors (id, kind, name) values (:id, 'user', :name)")
        .param("id", actor)
        .param("name", name)
        .update();
    jdbc.sql(
            """
            insert into users (id, actor_id, name, password_hash, role)
            select gen_random_uuid(), :actor, :name, password_hash, :role from users where name = 'ada'
            """)
        .param("actor", actor)
        .param("name", name)
        .param("role", role)
        .update();
    Person person = new Person(mesh);
    person.signIn(name);
    return person;
  }

  private void signIn(String name) {
    csrf = token("/sign-in");
    Answer answer = post("/sign-in", Map.of("username", name, "password", PASSWORD));
    if (!answer.location().equals("/")) {
      throw new AssertionError(name + " is not let in: " + answer);
    }
    csrf = token("/runs");
  }

  private String token(String path) {
    Matcher found = CSRF.matcher(get(path).text());
    if (!found.find()) {
      throw new AssertionError("no form on " + path);
    }
    return found.group(1);
  }

  /** What is at an address; no redirect is followed. */
  Answer get(String path) {
    return send(request(path).GET());
  }

  /** Sends a form as the page has it. */
  Answer post(String path, Map<String, String> fields) {
    Map<String, String> all = new LinkedHashMap<>(fields);
    all.put("_csrf", csrf);
    return postWithoutToken(path, all);
  }

  Answer postWithoutToken(String path, Map<String, String> fields) {
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                BodyPublishers.ofString(
                    fields.entrySet().stream()
                        .map(it ->
                            it.getKey()
                                + "="
                                + URLEncoder.encode(it.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&")))));
  }

  /** Sends a form that must be taken, and reads the page that follows. */
  String done(String path, Map<String, String> fields) {
    Answer answer = post(path, fields);
    if (answer.status() != 302) {
      throw new AssertionError("not taken but " + answer);
    }
    return page(answer.location());
  }

  /** A page that must be there. */
  String page(String path) {
    Answer answer = get(path);
    if (answer.status() != 200) {
      throw new AssertionError("no page but " + answer);
    }
    return answer.text();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(mesh.url() + path))
        .timeout(Duration.ofSeconds(60))
        .header("Accept", "text/html,application/xhtml+xml");
  }

  private Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
      return new Answer(
          answer.statusCode(),
          answer.headers().map().entrySet().stream()
              .collect(
                  Collectors.toMap(
                      it -> it.getKey().toLowerCase(java.util.Locale.ROOT),
                      it -> it.getValue().getFirst())),
          answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** One answer; headers by their names in lower case. */
  record Answer(int status, Map<String, String> headers, String text) {

    /** Where it sends the browser, without the server. */
    String location() {
      return headers.getOrDefault("location", "").replaceFirst("^https?://[^/]+", "");
    }
  }
}
