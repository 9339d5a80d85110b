package mesh.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

@AccessTest
class SessionsTest {

  @LocalServerPort private int port;
  @Autowired private Fixture fixture;
  @Autowired private AccessContext.MovableClock clock;

  private Browser browser;

  /** Somebody made the first admin, so that people sign in. */
  @BeforeEach
  void openBrowser() {
    browser = new Browser(port);
    fixture
        .jdbc()
        .sql(
            """
            update setup
               set completed_at = now(), token_hash = null, expires_at = null
             where completed_at is null
            """)
        .update();
  }

  @Nested
  class SigningIn {

    @Test
    void leadsHomeAsThePersonWithTheirRole() throws Exception {
      Operator user = fixture.user(Role.OPERATOR);

      HttpResponse<String> answer = browser.signIn(user.name(), Fixture.PASSWORD);

      assertThat(answer.statusCode()).isEqualTo(302);
      assertThat(Browser.where(answer)).isEqualTo("/");
      assertThat(browser.get("/").body()).startsWith("hello " + user.name() + " OPERATOR");
      assertThat(fixture.activities("user.signed_in")).isPositive();
    }

    @Test
    void changesTheSessionSoThatAPlantedOneIsWorthNothing() throws Exception {
      Operator user = fixture.user(Role.VIEWER);
      browser.get("/sign-in");
      String planted = browser.session();
      assertThat(planted).isNotEmpty();

      browser.signIn(user.name(), Fixture.PASSWORD);

      assertThat(browser.session()).isNotEmpty().isNotEqualTo(planted);
      HttpResponse<String> withPlanted =
          new Browser(port).send(browser.request("/").header("Cookie", "mesh=" + planted));
      assertThat(withPlanted.statusCode()).isEqualTo(302);
    }

    @Test
    void givesACookieThatScriptsAndOtherSitesDoNotGet() throws Exception {
      HttpResponse<String> answer = browser.get("/sign-in");

      assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
          .startsWith("mesh=")
          .contains("Path=/", "HttpOnly", "SameSite=Lax")
          .doesNotContain("Domain");
    }

    @ParameterizedTest
    @CsvSource({"true, not the password at all", "false, a few unrelated words"})
    void saysTheSameWhateverWasWrong(boolean known, String password) throws Exception {
      String name = known ? fixture.user(Role.VIEWER).name() : "hunter2-typed-in-the-wrong-field";

      long before = fixture.activities("user.sign_in_failed");

      HttpResponse<String> answer = browser.signIn(name, password);

      assertThat(Browser.where(answer)).isEqualTo("/sign-in?error");
      assertThat(fixture.activities("user.sign_in_failed")).isEqualTo(before + 1);
      assertThat(browser.get("/").statusCode()).isEqualTo(302);
      assertThat(
              fixture
                  .jdbc()
                  .sql(
                      "select count(*) from activity where cast(activity.* as text) like '%hunter2%'")
                  .query(Long.class)
                  .single())
          .isZero();
    }

    @Test
    void isRefusedToWhoeverIsDisabled() throws Exception {
      Operator user = fixture.user(Role.VIEWER);
      set(user, "disabled_at = now()");

      assertThat(Browser.where(browser.signIn(user.name(), Fixture.PASSWORD)))
          .isEqualTo("/sign-in?error");
    }

    @Test
    void needsAToken() throws Exception {
      Operator user = fixture.user(Role.VIEWER);
      browser.get("/sign-in");

      HttpResponse<String> answer =
          browser.form("/sign-in", Map.of("username", user.name(), "password", Fixture.PASSWORD));

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(browser.get("/").statusCode()).isEqualTo(302);
    }
  }

  @Test
  void signingOutEndsTheSession() throws Exception {
    Operator user = fixture.user(Role.VIEWER);
    browser.signIn(user.name(), Fixture.PASSWORD);
    String session = browser.session();

    HttpResponse<String> answer = browser.form("/sign-out", Map.of("_csrf", browser.csrf("/")));

    assertThat(Browser.where(answer)).isEqualTo("/sign-in?signed-out");
    HttpResponse<String> replayed =
        new Browser(port).send(browser.request("/").header("Cookie", "mesh=" + session));
    assertThat(replayed.statusCode()).isEqualTo(302);
  }

  @Test
  void aSessionEndsAfterAWeekHoweverBusy() throws Exception {
    Operator user = fixture.user(Role.VIEWER);
    browser.signIn(user.name(), Fixture.PASSWORD);
    assertThat(browser.get("/").statusCode()).isEqualTo(200);

    clock.advance(Sessions.LONGEST.plusSeconds(1));

    assertThat(browser.get("/").statusCode()).isEqualTo(302);
    assertThat(Browser.where(browser.get("/"))).isEqualTo("/sign-in");
  }

  @Test
  void aSignedInSessionIdlesForHoursAndAVisitorsForMinutes() throws Exception {
    browser.get("/sign-in");
    assertThat(idle()).isEqualTo(Duration.ofMinutes(30).toSeconds());

    browser.signIn(fixture.user(Role.VIEWER).name(), Fixture.PASSWORD);

    assertThat(idle()).isEqualTo(Sessions.IDLE.toSeconds());
  }

  private long idle() {
    return fixture
        .jdbc()
        .sql("select max_inactive_interval from spring_session where session_id = :id")
        .param(
            "id",
            new String(
                java.util.Base64.getDecoder().decode(browser.session()),
                java.nio.charset.StandardCharsets.UTF_8))
        .query(Long.class)
        .single();
  }

  @Test
  void theRoleIsLookedUpAgainWithinFiveSeconds() {
    Operator user = fixture.user(Role.ADMIN);
    long[] now = {0};
    Users users = new Users(new UserRepository(fixture.jdbc()), () -> now[0]);
    assertThat(users.current(user.actorId()).orElseThrow().role()).isEqualTo(Role.ADMIN);

    set(user, "role = 'viewer'");
    now[0] = Duration.ofSeconds(5).toNanos();
    assertThat(users.current(user.actorId()).orElseThrow().role()).isEqualTo(Role.VIEWER);

    set(user, "disabled_at = now()");
    now[0] = Duration.ofSeconds(10).toNanos();
    assertThat(users.current(user.actorId())).isEmpty();
  }

  @Nested
  class Forgery {

    private String csrf;

    @BeforeEach
    void signIn() throws Exception {
      browser.signIn(fixture.user(Role.ADMIN).name(), Fixture.PASSWORD);
      csrf = browser.csrf("/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/runs", "/api/access/tokens", "/runs", "/sign-out"})
    void isRefusedWithoutATokenOrWithAWrongOne(String path) throws Exception {
      assertThat(browser.send(post(path)).statusCode()).isEqualTo(403);
      assertThat(browser.send(post(path).header("X-CSRF-TOKEN", "wrong")).statusCode())
          .isEqualTo(403);
      assertThat(browser.get("/").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
      "Origin,         https://evil.example",
      "Origin,         http://127.0.0.1:1",
      "Origin,         http://127.0.0.1.evil.example",
      "Sec-Fetch-Site, cross-site",
      "Sec-Fetch-Site, same-site",
    })
    void isRefusedFromAnotherSiteEvenWithAToken(String header, String value) throws Exception {
      for (String path : new String[] {"/api/runs", "/runs", "/sign-in"}) {
        HttpResponse<String> answer =
            browser.send(post(path).header("X-CSRF-TOKEN", csrf).header(header, value));

        assertThat(answer.statusCode()).as(path).isEqualTo(403);
      }
    }

    @Test
    void isRefusedAsTextThatIsReallyJson() throws Exception {
      HttpRequest.Builder text =
          browser
              .request("/api/runs")
              .header("Content-Type", "text/plain")
              .POST(BodyPublishers.ofString("{\"name\":\"a\"}"));

      assertThat(browser.send(text).statusCode()).isEqualTo(403);
      assertThat(browser.send(text.header("X-CSRF-TOKEN", csrf)).statusCode()).isEqualTo(415);
    }

    @Test
    void isToldFromTheRealThing() throws Exception {
      HttpResponse<String> fromPage =
          browser.send(
              post("/api/runs")
                  .header("X-CSRF-TOKEN", csrf)
                  .header("Origin", "http://127.0.0.1:" + port)
                  .header("Sec-Fetch-Site", "same-origin"));
      HttpResponse<String> fromForm =
          browser.send(
              post("/runs")
                  .header("X-CSRF-TOKEN", csrf)
                  .header("Origin", "null")
                  .header("Sec-Fetch-Site", "same-origin"));

      assertThat(fromPage.statusCode()).as(fromPage.body()).isEqualTo(200);
      assertThat(fromForm.statusCode()).as(fromForm.body()).isEqualTo(200);
    }

    @Test
    void cannotRideOnTheCookieOfARequestWithAToken() throws Exception {
      HttpResponse<String> answer =
          browser.send(
              post("/api/runs").header("Authorization", "Bearer " + fixture.token(Role.VIEWER)));

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(Browser.code(answer)).isEqualTo("role_insufficient");
    }

    private HttpRequest.Builder post(String path) {
      return browser
          .request(path)
          .header("Content-Type", "application/json")
          .POST(BodyPublishers.ofString("{\"name\":\"a\"}"));
    }
  }

  @Nested
  class Visitors {

    @Test
    void areSentToSignIn() throws Exception {
      assertThat(Browser.where(browser.get("/"))).isEqualTo("/sign-in");
      assertThat(browser.get("/runs/7").headers().firstValue("Location")).contains("/sign-in");
    }

    @Test
    void areToldByScriptsToGoThere() throws Exception {
      HttpResponse<String> answer = browser.send(browser.request("/").header("HX-Request", "true"));

      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.headers().firstValue("HX-Redirect")).contains("/sign-in");
    }

    @Test
    void getNoSessionForAskingTheApi() throws Exception {
      HttpResponse<String> answer =
          browser.send(
              browser
                  .request("/api/runs")
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{}")));

      assertThat(Browser.code(answer)).isEqualTo("token_missing");
      assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
      assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void mayProbeHealthAndNothingElseOfIt() throws Exception {
      assertThat(browser.send(browser.request("/actuator/health/readiness")).body())
          .contains("\"UP\"");
      assertThat(browser.get("/actuator/prometheus").statusCode()).isEqualTo(401);
      assertThat(browser.get("/actuator/env").statusCode()).isEqualTo(401);
    }

    @Test
    void findNoSetupOnceThereIsAnAdmin() throws Exception {
      assertThat(browser.get("/setup").statusCode()).isEqualTo(404);
      assertThat(browser.get("/setup?token=x").statusCode()).isEqualTo(404);
      assertThat(browser.form("/setup", Map.of("token", "x")).statusCode()).isEqualTo(404);
    }
  }

  @Nested
  class Headers {

    @ParameterizedTest
    @CsvSource({
      "GET,  /sign-in,                    200",
      "GET,  /,                           302",
      "GET,  /setup,                      404",
      "GET,  /api/runs,                   401",
      "GET,  /api/agent/tools,            401",
      "GET,  /actuator/health,            200",
      "GET,  /nothing//at;all,            400",
      "POST, /sign-in,                    403",
      "POST, /runs,                       403",
    })
    void areOnEveryKindOfAnswer(String method, String path, int status) throws Exception {
      HttpResponse<String> answer =
          browser.send(browser.request(path).method(method, BodyPublishers.noBody()));

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
      assertSafe(answer);
      assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void areOnARefusedBodyAndAnUnknownAddress() throws Exception {
      String admin = fixture.token(Role.ADMIN);

      HttpResponse<String> large =
          browser.withToken("POST", "/api/runs", admin, "\"" + "x".repeat(2 << 20) + "\"");
      HttpResponse<String> unknown = browser.get("/api/unknown", admin);

      assertThat(large.statusCode()).isEqualTo(413);
      assertSafe(large);
      assertThat(unknown.statusCode()).isEqualTo(404);
      assertSafe(unknown);
    }

    @Test
    void letAssetsBeKept() throws Exception {
      HttpResponse<String> asset = browser.get("/assets/mesh.css");

      assertThat(asset.statusCode()).isEqualTo(200);
      assertSafe(asset);
      assertThat(asset.headers().firstValue("Cache-Control")).isEmpty();
    }

    private static void assertSafe(HttpResponse<String> answer) {
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
          .contains("frame-ancestors 'none'");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(answer.headers().firstValue("X-Frame-Options")).contains("DENY");
      assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
      assertThat(answer.headers().firstValue("Cross-Origin-Opener-Policy")).contains("same-origin");
      assertThat(answer.headers().firstValue("Cross-Origin-Resource-Policy"))
          .contains("same-origin");
      assertThat(answer.headers().map().keySet())
          .noneMatch(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("access-control"));
    }
  }

  private void set(Operator user, String change) {
    fixture
        .jdbc()
        .sql("update users set " + change + " where actor_id = :actor")
        .param("actor", user.actorId())
        .update();
  }
}
