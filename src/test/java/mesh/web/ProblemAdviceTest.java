package mesh.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ExtendWith(OutputCaptureExtension.class)
class ProblemAdviceTest {

  private static final HttpClient client = HttpClient.newHttpClient();
  private static final AtomicInteger handled = new AtomicInteger();

  @LocalServerPort private int port;

  @Test
  void aProblemIsAnsweredWithItsCodeAndExtras() throws Exception {
    HttpResponse<String> answer = get("/api/problem");

    JsonNode problem = problem(answer, 409, "runtime_not_enabled");
    assertThat(problem.get("type").asString()).isEqualTo("about:blank");
    assertThat(problem.get("title").asString()).isEqualTo("Conflict");
    assertThat(problem.get("detail").asString()).isEqualTo("Enable it.");
    assertThat(problem.get("runtime").asString()).isEqualTo("sprites");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"name\":                       | line 1",
        "{\"name\":\"a\",\"size\":1} x    | line 1",
        "{\"name\":\"a\",\"name\":\"b\"}  | twice",
        "nonsense                         | line 1",
        "{'name':1}                       | line 1",
      })
  void malformedJsonTellsWhereItBroke(String body, String told) throws Exception {
    JsonNode problem = problem(post("/api/things", body), 400, "json_malformed");

    assertThat(problem.get("detail").asString()).contains(told);
    assertThat(problem.get("line").asInt()).isEqualTo(1);
  }

  @Test
  void jsonNestedTooDeeplyIsRefused() throws Exception {
    String deep = "[".repeat(65) + "]".repeat(65);

    JsonNode problem = problem(post("/api/any", deep), 400, "json_malformed");

    assertThat(problem.get("detail").asString()).contains("64");
    assertThat(post("/api/any", "[".repeat(64) + "]".repeat(64)).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"name\":\"a\",\"size\":\"3\"}             | /size           | whole number",
        "{\"name\":\"a\",\"size\":3.5}               | /size           | whole number",
        "{\"name\":\"a\",\"size\":null}              | /size           | missing or null",
        "{\"size\":1,\"name\":7}                                | /name           | a text",
        "{\"size\":1,\"name\":\"a\",\"nam\":1}                  | /nam            | not a field",
        "{\"size\":1,\"name\":\"a\",\"colour\":\"pink\"}        | /colour         | RED, BLUE",
        "{\"size\":1,\"name\":\"a\",\"some_flag\":\"yes\"}      | /some_flag      | true or false",
        "{\"size\":1,\"name\":\"a\",\"list\":[\"a\",{}]}        | /list/1         | a text",
        "{\"size\":1,\"name\":\"a\",\"list\":\"a\"}             | /list           | a list",
        "{\"size\":1,\"name\":\"a\",\"map\":{\"a/b\":{\"~\":1}}} | /map/a~1b/~0   | not a field",
        "{\"size\":1,\"name\":\"\"}                             | ''              | name is empty",
        "[]                                          | ''              | an object",
      })
  void aWrongValueIsToldByItsPointer(String body, String pointer, String told) throws Exception {
    JsonNode problem = problem(post("/api/things", body), 400, "arguments_invalid");

    assertThat(problem.get("pointer").asString()).isEqualTo(pointer.equals("''") ? "" : pointer);
    assertThat(problem.get("detail").asString()).contains(told);
  }

  @Test
  void aMissingBodyIsTold() throws Exception {
    problem(post("/api/things", ""), 400, "body_missing");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/nothing,                                   404, not_found",
    "/api/by-id/seven,                               404, not_found",
    "/api/by-number,                                 400, parameter_missing",
    "/api/by-number?number=seven,                    400, parameter_invalid",
    "/api/by-number?number=7&cursor=nonsense,        400, cursor_invalid",
    "/api/by-number?number=7&limit=900,              400, limit_invalid",
    "/api/things,                                    405, method_not_allowed",
    "/error,                                         404, not_found",
  })
  void whatIsWrongWithARequestHasACode(String path, int status, String code) throws Exception {
    problem(get(path), status, code);
  }

  @Test
  void theAllowedMethodsAreTold() throws Exception {
    assertThat(get("/api/things").headers().firstValue("Allow")).contains("POST");
  }

  @Test
  void anotherMediaTypeIsRefused() throws Exception {
    HttpRequest text =
        request("/api/things")
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString("{\"name\":\"a\"}"))
            .build();

    problem(client.send(text, BodyHandlers.ofString()), 415, "media_type_unsupported");
  }

  @Test
  void whatNobodyForesawTellsAnIdThatIsAlsoLogged(CapturedOutput output) throws Exception {
    HttpResponse<String> answer = get("/api/broken");

    JsonNode problem = problem(answer, 500, "internal_error");
    String id = problem.get("id").asString();
    assertThat(answer.body()).doesNotContain("Exception", "mesh.", "secret-detail", "at ");
    assertThat(output.getOut()).contains(id, "secret-detail");
  }

  @Test
  void anErrorOutsideOfControllersTellsNoMore() throws Exception {
    HttpResponse<String> answer = get("/api/send-error");

    problem(answer, 418, "i_m_a_teapot");
    assertThat(answer.body()).doesNotContain("secret-detail");
  }

  @Test
  void aBrowserGetsNoJson() throws Exception {
    HttpRequest page =
        request("/nothing").header("Accept", "text/html,application/xhtml+xml,*/*").build();

    HttpResponse<String> answer = client.send(page, BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
    assertThat(answer.body()).contains("nothing at this address").doesNotContain("{");
  }

  @Test
  void aDeclaredBodyThatIsTooLargeIsRefused() throws Exception {
    int before = handled.get();

    JsonNode problem = problem(post("/api/any", text((1 << 20) + 1)), 413, "body_too_large");

    assertThat(problem.get("limit_bytes").asInt()).isEqualTo(1 << 20);
    assertThat(handled).hasValue(before);
  }

  @Test
  void aChunkedBodyThatIsTooLargeIsRefused() throws Exception {
    int before = handled.get();

    problem(post("/api/any", chunked((1 << 20) + 1)), 413, "body_too_large");

    assertThat(handled).hasValue(before);
  }

  @Test
  void bodiesUpToTheLimitPass() throws Exception {
    assertThat(post("/api/any", text(1 << 20)).statusCode()).isEqualTo(200);
    assertThat(post("/api/any", chunked(1 << 20)).statusCode()).isEqualTo(200);
    assertThat(post("/api/agent/tools/workspace_write_file", text(23 << 20)).statusCode())
        .isEqualTo(200);
    problem(
        post("/api/agent/tools/workspace_write_file", text((24 << 20) + 1)), 413, "body_too_large");
  }

  private static BodyPublisher chunked(int bytes) {
    Supplier<InputStream> body =
        () -> new ByteArrayInputStream(text(bytes).getBytes(StandardCharsets.UTF_8));
    return BodyPublishers.ofInputStream(body);
  }

  private static String text(int bytes) {
    return "\"" + "x".repeat(bytes - 2) + "\"";
  }

  private JsonNode problem(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");
    JsonNode problem = JsonMapper.builder().build().readTree(answer.body());
    assertThat(problem.get("code").asString()).isEqualTo(code);
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("detail").asString()).isNotBlank();
    return problem;
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return post(path, BodyPublishers.ofString(body));
  }

  private HttpResponse<String> post(String path, BodyPublisher body)
      throws IOException, InterruptedException {
    return client.send(
        request(path).header("Content-Type", "application/json").POST(body).build(),
        BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .version(HttpClient.Version.HTTP_1_1);
  }

  enum Colour {
    RED,
    BLUE
  }

  record Inner(Integer known) {}

  record Thing(
      String name,
      int size,
      Colour colour,
      Boolean someFlag,
      List<String> list,
      Map<String, Inner> map) {
    Thing {
      if (name != null && name.isEmpty()) {
        throw new IllegalArgumentException("name is empty");
      }
    }
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
        "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
        "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"
      })
  @ComponentScan("mesh.web")
  static class OnlyWeb {

    @Bean
    Supplier<UUID> ids() {
      return UUID::randomUUID;
    }
  }

  @RestController
  static class Things {

    @GetMapping("/api/problem")
    String problem() {
      throw Problem.conflict("runtime_not_enabled", "Enable it.").with("runtime", "sprites");
    }

    @PostMapping("/api/things")
    Thing add(@RequestBody Thing thing) {
      return thing;
    }

    @PostMapping({"/api/any", "/api/agent/tools/workspace_write_file"})
    String any(@RequestBody JsonNode any) {
      handled.incrementAndGet();
      return "ok";
    }

    @GetMapping("/api/by-id/{id}")
    String byId(@PathVariable UUID id) {
      return "ok";
    }

    @GetMapping("/api/by-number")
    String byNumber(
        @RequestParam int number,
        @RequestParam(required = false) Cursor cursor,
        @RequestParam(defaultValue = Limit.DEFAULT) Limit limit) {
      return "ok";
    }

    @GetMapping("/api/broken")
    String broken() {
      throw new IllegalStateException("secret-detail");
    }

    @GetMapping("/api/send-error")
    void sendError(jakarta.servlet.http.HttpServletResponse response) throws IOException {
      response.sendError(418, "secret-detail");
    }
  }
}
