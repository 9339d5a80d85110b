package mesh.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@AccessTest
class TokensTest {

  private static final JsonMapper json = JsonMapper.builder().build();

  @LocalServerPort private int port;
  @Autowired private Fixture fixture;
  @Autowired private AccessContext.MovableClock clock;

  private Browser browser;

  @BeforeEach
  void openBrowser() {
    // A second of its own for each test: bad tokens are counted per second.
    clock.advance(Duration.ofSeconds(1));
    browser = new Browser(port);
  }

  @ParameterizedTest
  @EnumSource(TokenKind.class)
  void aTokenHasAPrefixAndAChecksum(TokenKind kind) {
    String token = kind.mint(new SecureRandom()).reveal();

    assertThat(token).matches("mesh_(pat|run)_[A-Za-z0-9_-]{43}_[0-9a-f]{8}");
    assertThat(kind.hash(token)).isPresent();
    String flipped =
        token.substring(0, 20) + (token.charAt(20) == 'x' ? 'y' : 'x') + token.substring(21);
    assertThat(kind.hash(flipped)).isEmpty();
    assertThat(kind.mint(new SecureRandom())).hasToString("[token]");
  }

  @Nested
  class OfRuns {

    @Test
    void nameTheRunAndItsAgent() throws Exception {
      UUID run = fixture.run();

      HttpResponse<String> answer = browser.get("/api/agent/tools", fixture.runToken(run));

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(json.readTree(answer.body()).get("run").asString()).isEqualTo(run.toString());
    }

    @Test
    void openMcp() throws Exception {
      String token = fixture.runToken(fixture.run());

      assertThat(browser.withToken("POST", "/mcp", token, "{}").statusCode()).isEqualTo(200);
      assertThat(browser.send(browser.request("/mcp")).statusCode()).isEqualTo(401);
    }

    @Test
    void holdDuringAStreamedAnswer() throws Exception {
      UUID run = fixture.run();

      assertThat(browser.get("/api/agent/stream", fixture.runToken(run)).body())
          .isEqualTo(run.toString());
    }

    @Test
    void dieWithTheRun() throws Exception {
      UUID run = fixture.run();
      String token = fixture.runToken(run);

      fixture.end(run);

      HttpResponse<String> answer = browser.get("/api/agent/tools", token);
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(Browser.code(answer)).isEqualTo("run_ended");
    }

    @Test
    void openNothingThatStartsAfterTheEndWasCommitted() throws Exception {
      UUID run = fixture.run();
      String token = fixture.runToken(run);
      AtomicBoolean ended = new AtomicBoolean();

      List<Integer> late = new ArrayList<>();
      try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          int number = i;
          calls.add(() -> {
            if (number == 60) {
              fixture.end(run);
              ended.set(true);
            }
            boolean after = ended.get();
            int status = browser.get("/api/agent/tools", token).statusCode();
            return after ? status : 0;
          });
        }
        for (var call : pool.invokeAll(calls)) {
          late.add(call.get());
        }
      }

      assertThat(late).contains(401).containsOnly(0, 401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/runs", "/api/activity", "/api/access/tokens", "/v3/api-docs"})
    void openNothingOfOperators(String path) throws Exception {
      HttpResponse<String> answer = browser.get(path, fixture.runToken(fixture.run()));

      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(Browser.code(answer)).isEqualTo("token_invalid");
    }

    @Test
    void areTheOnlyOnesForAgents() throws Exception {
      Operator admin = fixture.user(Role.ADMIN);
      browser.signIn(admin.name(), Fixture.PASSWORD);

      assertThat(Browser.code(browser.get("/api/agent/tools", fixture.token(Role.ADMIN))))
          .isEqualTo("token_invalid");
      assertThat(Browser.code(browser.get("/api/agent/tools"))).isEqualTo("token_missing");
    }

    @Test
    void areOnePerRun() {
      UUID run = fixture.run();
      fixture.runToken(run);

      assertThatThrownBy(() -> fixture.runToken(run))
          .isInstanceOf(org.springframework.dao.DuplicateKeyException.class);
    }
  }

  @Nested
  class OfOperators {

    @ParameterizedTest
    @CsvSource({
      "GET,    /api/runs,                     VIEWER",
      "POST,   /api/runs,                     OPERATOR",
      "GET,    /api/settings/agent-runtimes,  VIEWER",
      "PUT,    /api/settings/agent-runtimes,  ADMIN",
      "GET,    /api/access/tokens,            ADMIN",
      "GET,    /api/activity,                 VIEWER",
      "GET,    /v3/api-docs,                  VIEWER",
    })
    void openWhatTheirRoleMay(String method, String path, Role least) throws Exception {
      for (Role role : Role.values()) {
        HttpResponse<String> answer =
            browser.withToken(method, path, fixture.token(role), "{\"name\":\"a\"}");

        if (role.covers(least)) {
          assertThat(answer.statusCode()).as("%s %s", role, answer.body()).isEqualTo(200);
        } else {
          assertThat(answer.statusCode()).as("%s %s", role, answer.body()).isEqualTo(403);
          assertThat(Browser.code(answer)).isEqualTo("role_insufficient");
        }
      }
    }

    @Test
    void openNothingThatHasNoRule() throws Exception {
      HttpResponse<String> answer = browser.get("/api/unruled", fixture.token(Role.ADMIN));

      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(Browser.code(answer)).isEqualTo("not_found");
    }

    @Test
    void holdDuringAStreamedAnswer() throws Exception {
      assertThat(browser.get("/api/runs/stream", fixture.token(Role.VIEWER)).body())
          .isEqualTo("test VIEWER");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "nonsense",
          "mesh_pat_",
          "mesh_pat_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_00000000",
        })
    void areRefusedWhenMalformed(String token) throws Exception {
      HttpResponse<String> answer = browser.get("/api/runs", token);

      assertThat(answer.statusCode()).isIn(401, 429);
      assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("application/problem+json");
    }

    @Test
    void areRefusedOnceRevoked() throws Exception {
      String admin = fixture.token(Role.ADMIN);
      JsonNode made = make(admin, "{\"name\":\"ci\",\"role\":\"operator\"}");
      String text = made.get("token").asString();
      assertThat(browser.get("/api/runs", text).statusCode()).isEqualTo(200);

      HttpResponse<String> revoked =
          browser.withToken("DELETE", "/api/access/tokens/" + made.get("id").asString(), admin, "");

      assertThat(revoked.statusCode()).isEqualTo(204);
      assertThat(browser.get("/api/runs", text).statusCode()).isEqualTo(401);
      assertThat(
              browser
                  .withToken("DELETE", "/api/access/tokens/" + made.get("id").asString(), admin, "")
                  .statusCode())
          .isEqualTo(404);
      assertThat(fixture.activities("token.revoked")).isPositive();
    }

    @Test
    void areRefusedOnceExpired() throws Exception {
      JsonNode made =
          make(
              fixture.token(Role.ADMIN),
              "{\"name\":\"short\",\"role\":\"viewer\",\"expires_at\":\"%s\"}"
                  .formatted(java.time.Instant.now().plusSeconds(60)));
      String text = made.get("token").asString();
      assertThat(browser.get("/api/runs", text).statusCode()).isEqualTo(200);

      fixture
          .jdbc()
          .sql("update api_tokens set expires_at = now() where id = cast(:id as uuid)")
          .param("id", made.get("id").asString())
          .update();

      assertThat(browser.get("/api/runs", text).statusCode()).isEqualTo(401);
    }

    @Test
    void areNeverMoreThanTheirMakerIs() throws Exception {
      Operator maker = fixture.user(Role.ADMIN);
      String text = fixture.token(Role.ADMIN);
      fixture
          .jdbc()
          .sql("update api_tokens set created_by = :actor where token_hash = :hash")
          .param("actor", maker.actorId())
          .param("hash", TokenKind.sha256(text))
          .update();
      assertThat(browser.get("/api/access/tokens", text).statusCode()).isEqualTo(200);

      set(maker, "role = 'viewer'");
      assertThat(browser.get("/api/access/tokens", text).statusCode()).isEqualTo(403);

      set(maker, "disabled_at = now()");
      assertThat(browser.get("/api/runs", text).statusCode()).isEqualTo(401);
    }

    @Test
    void areListedWithoutTheirText() throws Exception {
      String admin = fixture.token(Role.ADMIN);
      JsonNode made = make(admin, "{\"name\":\"listed\",\"role\":\"viewer\"}");
      browser.get("/api/runs", made.get("token").asString());

      String list = browser.get("/api/access/tokens?limit=1", admin).body();

      JsonNode newest = json.readTree(list).get("tokens").get(0);
      assertThat(newest.get("name").asString()).isEqualTo("listed");
      assertThat(newest.get("role").asString()).isEqualTo("viewer");
      assertThat(newest.get("last_used_at").asString()).endsWith(":00Z");
      assertThat(newest.get("expires_at").isNull()).isTrue();
      assertThat(newest.has("token")).isFalse();
      assertThat(list).doesNotContain("mesh_pat_");
      String next = json.readTree(list).get("next").asString();
      assertThat(browser.get("/api/access/tokens?cursor=" + next, admin).body())
          .doesNotContain(made.get("id").asString());
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "{\"name\":\"\",\"role\":\"viewer\"}                | /name",
          "{\"role\":\"viewer\"}                              | /name",
          "{\"name\":\"a\"}                                   | /role",
          "{\"name\":\"a\",\"role\":\"root\"}                 | /role",
          "{\"name\":\"a\",\"role\":\"viewer\",\"expires_at\":\"2020-01-01T00:00:00Z\"} | /expires_at",
          "{\"name\":\"a\",\"role\":\"viewer\",\"expires_at\":\"soon\"} | /expires_at",
        })
    void areNotMadeFromNonsense(String body, String pointer) throws Exception {
      HttpResponse<String> answer =
          browser.withToken("POST", "/api/access/tokens", fixture.token(Role.ADMIN), body);

      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(json.readTree(answer.body()).get("pointer").asString()).isEqualTo(pointer);
    }

    private JsonNode make(String admin, String body) throws Exception {
      HttpResponse<String> answer = browser.withToken("POST", "/api/access/tokens", admin, body);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      return json.readTree(answer.body());
    }

    private void set(Operator user, String change) {
      fixture
          .jdbc()
          .sql("update users set " + change + " where actor_id = :actor")
          .param("actor", user.actorId())
          .update();
    }
  }

  @Test
  void guessesAreSlowedDownAndGoodTokensAreNot() throws Exception {
    String good = fixture.token(Role.VIEWER);
    List<String> codes = new ArrayList<>();
    for (int i = 0; i < 5 * FailedCalls.PER_SECOND; i++) {
      codes.add(
          Browser.code(browser.get("/api/runs", TokenKind.API.mint(new SecureRandom()).reveal())));
    }

    assertThat(browser.get("/api/runs", good).statusCode()).isEqualTo(200);
    assertThat(codes).contains("token_invalid").containsOnly("token_invalid", "failures_too_many");
  }

  @Test
  void failuresAreCountedPerAddressAndSecond() {
    long[] now = {0};
    FailedCalls failures = new FailedCalls(() -> now[0]);
    for (int i = 0; i < FailedCalls.PER_SECOND; i++) {
      assertThat(failures.tooMany("a")).isFalse();
    }

    assertThat(failures.tooMany("a")).isTrue();
    assertThat(failures.tooMany("b")).isFalse();
    now[0] = 1_000_000_000;
    assertThat(failures.tooMany("a")).isFalse();
  }

  @Test
  void theDatabaseHoldsNoToken() throws Exception {
    String api = fixture.token(Role.ADMIN);
    String run = fixture.runToken(fixture.run());
    browser.get("/api/runs", api);
    browser.get("/api/agent/tools", run);

    var tables =
        fixture
            .jdbc()
            .sql("select table_name from information_schema.tables where table_schema = 'public'")
            .query(String.class)
            .list();
    assertThat(tables).contains("api_tokens", "run_tokens", "activity");
    for (String table : tables) {
      for (var row :
          fixture
              .jdbc()
              .sql("select cast(t as text) from " + table + " t")
              .query(String.class)
              .list()) {
        assertThat(row).doesNotContain(secret(api), secret(run), "mesh_pat_", "mesh_run_");
      }
    }
  }

  private static String secret(String token) {
    return token.substring("mesh_pat_".length(), token.lastIndexOf('_'));
  }
}
