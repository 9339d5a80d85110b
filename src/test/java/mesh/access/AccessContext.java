package mesh.access;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Access with nothing behind it but a few addresses that say who called. */
@SpringBootConfiguration
@EnableAutoConfiguration
@ComponentScan(
    basePackages = {"mesh.web", "mesh.activity", "mesh.access", "mesh.database"},
    excludeFilters =
        @ComponentScan.Filter(type = FilterType.CUSTOM, classes = TypeExcludeFilter.class))
class AccessContext {

  /** Moves when a test says so; otherwise the machine's. */
  static final class MovableClock extends Clock {
    private volatile java.time.Duration ahead = java.time.Duration.ZERO;

    void advance(java.time.Duration by) {
      ahead = ahead.plus(by);
    }

    @Override
    public ZoneId getZone() {
      return ZoneId.of("UTC");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(ahead);
    }
  }

  @Bean
  MovableClock clock() {
    return new MovableClock();
  }

  @Bean
  SecureRandom random() {
    return new SecureRandom();
  }

  @Bean
  Supplier<UUID> ids() {
    return UUID::randomUUID;
  }

  @Bean
  Fixture fixture(
      org.springframework.jdbc.core.simple.JdbcClient jdbc,
      org.springframework.transaction.support.TransactionTemplate transactions,
      ApiTokens tokens,
      RunTokens runTokens,
      UserRepository users,
      mesh.activity.Actors actors,
      Passwords passwords) {
    return new Fixture(jdbc, transactions, tokens, runTokens, users, actors, passwords);
  }

  record Named(String name) {}

  @RestController
  static class Operators {

    @GetMapping({"/api/runs", "/api/settings/agent-runtimes"})
    Map<String, String> read(@AuthenticationPrincipal Operator operator) {
      return Map.of("caller", operator.name());
    }

    @PostMapping("/api/runs")
    Map<String, String> write(
        @AuthenticationPrincipal Operator operator, @RequestBody Named named) {
      return Map.of("caller", operator.name(), "name", named.name());
    }

    @PutMapping("/api/settings/agent-runtimes")
    Map<String, String> set(@AuthenticationPrincipal Operator operator, @RequestBody Named named) {
      return Map.of("caller", operator.name(), "name", named.name());
    }

    @GetMapping("/api/unruled")
    String unruled() {
      return "nobody may see this";
    }

    @GetMapping("/api/runs/stream")
    StreamingResponseBody stream(@AuthenticationPrincipal Operator operator) {
      return out -> out.write(operator.name().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  @RestController
  static class Agents {

    @GetMapping("/api/agent/tools")
    RunCaller tools(@AuthenticationPrincipal RunCaller caller) {
      return caller;
    }

    @PostMapping("/mcp")
    RunCaller mcp(@AuthenticationPrincipal RunCaller caller) {
      return caller;
    }

    @GetMapping("/api/agent/stream")
    StreamingResponseBody stream(@AuthenticationPrincipal RunCaller caller) {
      return out ->
          out.write(caller.run().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  @Controller
  @ResponseBody
  static class Pages {

    @GetMapping(
        path = {"/sign-in", "/setup"},
        produces = MediaType.TEXT_HTML_VALUE)
    String form(CsrfToken csrf, @RequestParam Map<String, String> parameters) {
      return "form csrf=" + csrf.getToken() + ";";
    }

    @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
    String home(@AuthenticationPrincipal Operator operator, CsrfToken csrf) {
      return "hello " + operator.name() + " " + operator.role() + " csrf=" + csrf.getToken() + ";";
    }

    @PostMapping("/runs")
    String start(@AuthenticationPrincipal Operator operator) {
      return "started by " + operator.name();
    }

    @GetMapping("/assets/mesh.css")
    String asset() {
      return "";
    }
  }
}
