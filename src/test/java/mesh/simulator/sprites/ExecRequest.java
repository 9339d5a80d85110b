package mesh.simulator.sprites;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.http.Query;

/**
 * The query that starts a command. The program is the parameter {@code path} if there is one, and
 * {@code argv[0]} else; the command always sees it as its own name.
 */
record ExecRequest(
    List<String> argv,
    String directory,
    Map<String, String> environment,
    boolean stdin,
    boolean tty,
    Duration grace) {

  private static final Map<String, String> DEFAULT_ENVIRONMENT =
      Map.of(
          "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "HOME", Sprite.HOME,
          "USER", "sprite",
          "LANG", "C.UTF-8");

  /**
   * Empty if no program is named.
   *
   * @param defaultGrace how long the command may run on once nobody is connected
   */
  static Optional<ExecRequest> of(Query query, Duration defaultGrace) {
    var argv = new ArrayList<>(query.all("cmd"));
    if (argv.isEmpty()) {
      argv.addAll(query.all("cmd[]"));
    }
    var path = query.first("path").filter(it -> !it.isEmpty());
    if (argv.isEmpty() && path.isPresent()) {
      argv.add(path.get());
    }
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      return Optional.empty();
    }
    path.ifPresent(program -> argv.set(0, program));
    var directory = query.first("dir").filter(it -> !it.isEmpty()).orElse(Sprite.HOME);
    var grace =
        query.first("max_run_after_disconnect").flatMap(GoDuration::parse).orElse(defaultGrace);
    return Optional.of(
        new ExecRequest(
            List.copyOf(argv),
            directory,
            environment(query.all("env")),
            query.flag("stdin"),
            query.flag("tty"),
            grace));
  }

  /** Any variable given replaces all but HOME. */
  private static Map<String, String> environment(List<String> given) {
    if (given.isEmpty()) {
      return DEFAULT_ENVIRONMENT;
    }
    var environment = new LinkedHashMap<>(Map.of("HOME", Sprite.HOME));
    for (var pair : given) {
      var equals = pair.indexOf('=');
      if (equals > 0) {
        environment.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return Map.copyOf(environment);
  }

  static Map<String, String> defaultEnvironment() {
    return DEFAULT_ENVIRONMENT;
  }
}
