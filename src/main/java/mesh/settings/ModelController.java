package mesh.settings;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.inference.Reply.Usage;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Connections to models' services, for operators. */
@RestController
@RequestMapping("/api/settings/models")
class ModelController {

  private final ModelConnections connections;
  private final ModelTests tests;

  ModelController(ModelConnections connections, ModelTests tests) {
    this.connections = connections;
    this.tests = tests;
  }

  @GetMapping
  Map<String, List<Answer>> list() {
    return Map.of("connections", connections.all().stream().map(Answer::of).toList());
  }

  @PutMapping("/{name}")
  Answer save(
      @PathVariable String name,
      @RequestBody ModelChange change,
      @AuthenticationPrincipal Operator operator) {
    return Answer.of(connections.save(name, change, operator.actor()));
  }

  @DeleteMapping("/{name}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String name, @AuthenticationPrincipal Operator operator) {
    connections.delete(name, operator.actor());
  }

  @PostMapping("/{name}/test")
  Tested test(
      @PathVariable String name,
      @RequestBody Asked asked,
      @AuthenticationPrincipal Operator operator)
      throws InterruptedException {
    var result = tests.run(name, asked.model(), operator.actor());
    return new Tested(result.ok(), result.ms(), result.usage(), result.error());
  }

  record Asked(@Nullable String model) {}

  record Tested(boolean ok, long ms, Usage usage, @Nullable String error) {}

  /** A key goes in and never comes back. */
  record Key(boolean set, @Nullable Instant at, @Nullable String by) {}

  record Answer(
      String name,
      String wire,
      String baseUrl,
      Key key,
      boolean allowPrivate,
      List<ModelPrice> prices,
      List<String> agents) {

    static Answer of(ModelSetting setting) {
      var key = setting.key();
      return new Answer(
          setting.name(),
          ModelRepository.word(setting.wire()),
          setting.baseUrl(),
          key == null ? new Key(false, null, null) : new Key(true, key.at(), key.by()),
          setting.allowPrivate(),
          setting.prices(),
          setting.agents());
    }
  }
}
