package mesh.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import mesh.database.DataFolder;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** One fresh installation, from its first start on; the tests are its days, in order. */
@AccessTest
// Its own context: nobody may have made an admin in it.
@TestPropertySource(properties = "mesh.test=set-up")
@DirtiesContext
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SetupTest {

  @LocalServerPort private int port;
  @Autowired private Fixture fixture;
  @Autowired private Setup setup;
  @Autowired private SetupState state;
  @Autowired private FirstToken first;
  @Autowired private PublicUrl url;
  @Autowired private DataFolder folder;
  @Autowired private ServletWebServerApplicationContext context;

  @Test
  @Order(1)
  void theFirstStartWritesATokenForScripts() throws Exception {
    Path file = folder.path().resolve("bootstrap-token");

    String text = Files.readString(file);

    assertThat(text).matches("mesh_pat_\\S+\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    HttpResponse<String> list = new Browser(port).get("/api/access/tokens", text.strip());
    assertThat(list.statusCode()).isEqualTo(200);
    assertThat(list.body()).contains("\"name\":\"bootstrap\"");
  }

  @Test
  @Order(2)
  void untilThereIsAnAdminVisitorsAreSentWhereTheLinkIsTold() throws Exception {
    Browser browser = new Browser(port);

    assertThat(state.isOpen()).isTrue();
    assertThat(Browser.where(browser.get("/"))).isEqualTo("/sign-in");
    assertThat(browser.get("/setup").statusCode()).isEqualTo(200);
  }

  @Test
  @Order(3)
  void aRestartPrintsANewLinkAndTheOldOneIsWorthless() {
    PlainToken old = setup.open().orElseThrow();

    String printed = restart();

    assertThat(printed).containsOnlyOnce("http://127.0.0.1:" + port + "/setup?token=");
    assertThat(state.accepts(old.reveal())).isFalse();
    assertThat(state.accepts(token(printed))).isTrue();
    assertThat(fixture.jdbc().sql("select count(*) from api_tokens").query(Long.class).single())
        .isEqualTo(1);
  }

  @Test
  @Order(4)
  void aLinkIsGoodForAnHour() {
    String token = setup.open().orElseThrow().reveal();
    fixture.jdbc().sql("update setup set expires_at = now()").update();

    assertThat(state.accepts(token)).isFalse();
    assertThat(setup.complete(token, "late", Fixture.PASSWORD)).isFalse();
  }

  @Test
  @Order(5)
  void whatIsWrongWithTheFormIsTold() throws Exception {
    String token = setup.open().orElseThrow().reveal();
    Browser browser = new Browser(port);

    assertThat(submit(browser, token, "ann", "short"))
        .isEqualTo("/setup?token=" + token + "&error=password_short");
    assertThat(submit(browser, token, "ann", "password1234"))
        .isEqualTo("/setup?token=" + token + "&error=password_common");
    assertThat(submit(browser, token, "<ann>", Fixture.PASSWORD))
        .isEqualTo("/setup?token=" + token + "&error=name_invalid");
    assertThat(submit(browser, "guess", "ann", Fixture.PASSWORD))
        .isEqualTo("/setup?error=token_invalid");
    assertThat(
            browser
                .form("/setup", Map.of("token", token, "username", "a", "password", "b"))
                .statusCode())
        .isEqualTo(403);
    assertThat(state.isOpen()).isTrue();
  }

  @Test
  @Order(6)
  void ofTwoAtOnceOneBecomesTheAdmin() throws Exception {
    String token = setup.open().orElseThrow().reveal();
    List<Callable<String>> both = new ArrayList<>();
    for (String name : List.of("ann", "bob")) {
      Browser browser = new Browser(port);
      String csrf = browser.csrf("/setup");
      both.add(() ->
          Browser.where(
              browser.form(
                  "/setup",
                  Map.of(
                      "token", token,
                      "username", name,
                      "password", Fixture.PASSWORD,
                      "_csrf", csrf))));
    }

    List<String> answers = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(2)) {
      for (var answer : pool.invokeAll(both)) {
        answers.add(answer.get());
      }
    }

    assertThat(answers).containsOnlyOnce("/sign-in");
    assertThat(
            fixture.jdbc().sql("select name from users where role = 'admin'").query().listOfRows())
        .hasSize(1);
    assertThat(fixture.activities("setup.completed")).isEqualTo(1);
  }

  @Test
  @Order(7)
  void theAdminSignsIn() throws Exception {
    String name = fixture.jdbc().sql("select name from users").query(String.class).single();

    Browser browser = new Browser(port);
    browser.signIn(name.toUpperCase(java.util.Locale.ROOT), Fixture.PASSWORD);

    assertThat(browser.get("/").body()).startsWith("hello " + name + " ADMIN");
  }

  @Test
  @Order(8)
  void setupIsGoneForEverEvenIfThePeopleAre() throws Exception {
    fixture.jdbc().sql("delete from users").update();

    assertThat(restart()).isEmpty();
    assertThat(setup.open()).isEmpty();
    assertThat(state.isOpen()).isFalse();
    assertThat(new Browser(port).get("/setup").statusCode()).isEqualTo(404);
  }

  @Test
  @Order(9)
  void aRevokedFirstTokenIsNotMadeAgain() throws Exception {
    fixture.jdbc().sql("update api_tokens set revoked_at = now()").update();
    String before = Files.readString(folder.path().resolve("bootstrap-token"));

    restart();

    assertThat(Files.readString(folder.path().resolve("bootstrap-token"))).isEqualTo(before);
    assertThat(new Browser(port).get("/api/runs", before.strip()).statusCode()).isEqualTo(401);
  }

  private String restart() {
    ByteArrayOutputStream console = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(console, true, StandardCharsets.UTF_8);
    new Bootstrap(first, setup, url, out)
        .serverListens(
            new ServletWebServerInitializedEvent(
                java.util.Objects.requireNonNull(context.getWebServer()), context));
    return console.toString(StandardCharsets.UTF_8);
  }

  private static String token(String printed) {
    return printed.substring(printed.indexOf("token=") + "token=".length()).strip();
  }

  private static String submit(Browser browser, String token, String name, String password)
      throws Exception {
    return Browser.where(
        browser.form(
            "/setup",
            Map.of(
                "token", token,
                "username", name,
                "password", password,
                "_csrf", browser.csrf("/setup"))));
  }
}
