package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.http.Response;
import tools.jackson.databind.JsonNode;

/**
 * The file calls. Each is a small command inside the sprite, so that a path, a link and a right
 * mean what they mean to any command there.
 */
final class FileCalls {

  private static final String WRITE =
      """
      # mkdir would say that a parent which is a file exists; the vendor says what it is not.
      [ -d "$2" ] || [ ! -e "$2" ] || exec cat -- "$2/."
      mkdir -p -- "$2" || exit
      dd of="$1" bs=65536 iflag=fullblock status=none || exit
      if [ -n "$3" ]; then chmod -- "$3" "$1" || exit; fi
      exec stat -L -c %a -- "$1"
      """;

  /** Entries as NUL-separated fields: name, path, type, size, mode, time of change. */
  private static final String LIST =
      """
      if [ -d "$1" ]; then min=1; else min=0; fi
      if [ "$2" = true ] && [ $min = 1 ]; then max=64; else max=$min; fi
      exec find -H "$1" -mindepth $min -maxdepth $max -name "$3" \
        -printf '%f\\0%p\\0%y\\0%s\\0%m\\0%T@\\0'
      """;

  private static final String DELETE =
      """
      if [ "$2" = true ] && { [ -e "$1" ] || [ -h "$1" ]; }; then exec rm -rf -- "$1"; fi
      if [ -d "$1" ] && [ ! -h "$1" ]; then exec rmdir -- "$1"; fi
      exec rm -- "$1"
      """;

  private final FileCommands commands;
  private final Settings settings;

  FileCalls(Settings settings) {
    this.settings = settings;
    this.commands = new FileCommands(settings);
  }

  Response read(Call call, Sprite sprite) throws IOException, InterruptedException {
    var path = path(call);
    return commands.stream(sprite, "open " + path, path, "exec cat -- \"$1\"", List.of(path));
  }

  Response write(Call call, Sprite sprite, byte[] body) throws IOException, InterruptedException {
    var path = path(call);
    var mode = call.query().first("mode").orElse("");
    if (!mode.matches("[0-7]{0,4}")) {
      return Json.error(400, "invalid mode: " + mode);
    }
    return commands.run(
        sprite,
        "open " + path,
        path,
        WRITE,
        List.of(path, parent(path), mode),
        body,
        output -> {
          var json = new LinkedHashMap<String, Object>();
          json.put("path", path);
          json.put("size", body.length);
          json.put("mode", mode(new String(output, UTF_8).strip()));
          return Json.answer(200, json);
        });
  }

  Response list(Call call, Sprite sprite) throws IOException, InterruptedException {
    var path = path(call);
    var recursive = Boolean.toString(call.query().flag("recursive"));
    var pattern = call.query().first("pattern").filter(it -> !it.isEmpty()).orElse("*");
    return commands.run(
        sprite,
        "stat " + path,
        path,
        LIST,
        List.of(path, recursive, pattern),
        new byte[0],
        output -> Json.answer(200, listing(path, new String(output, UTF_8))));
  }

  private Map<String, Object> listing(String path, String output) {
    var fields = Arrays.asList(output.split("\0"));
    var entries = new ArrayList<Map<String, Object>>();
    for (var at = 0; at + 5 < fields.size(); at += 6) {
      entries.add(entry(fields.subList(at, at + 6)));
    }
    entries.sort(Comparator.comparing(entry -> String.valueOf(entry.get("path"))));
    var json = new LinkedHashMap<String, Object>();
    json.put("path", path);
    json.put("entries", entries.isEmpty() && settings.mode() == Mode.LIVE ? null : entries);
    json.put("count", entries.size());
    return json;
  }

  private static Map<String, Object> entry(List<String> fields) {
    var type =
        switch (fields.get(2)) {
          case "f" -> "file";
          case "d" -> "directory";
          case "l" -> "symlink";
          case "p" -> "fifo";
          case "s" -> "socket";
          default -> "device";
        };
    var seconds = Double.parseDouble(fields.get(5));
    var json = new LinkedHashMap<String, Object>();
    json.put("name", fields.get(0));
    json.put("path", fields.get(1));
    json.put("type", type);
    json.put("size", Long.parseLong(fields.get(3)));
    json.put("mode", mode(fields.get(4)));
    json.put("modTime", Instant.ofEpochMilli((long) (seconds * 1000)).toString());
    json.put("isDir", type.equals("directory"));
    return json;
  }

  /** Delete, rename, copy, chmod and chown. */
  Response change(Call call, Sprite sprite, byte[] body) throws IOException, InterruptedException {
    if (call.last().equals("delete")) {
      var path = path(call);
      var recursive = Boolean.toString(call.query().flag("recursive"));
      return commands.run(
          sprite,
          "remove " + path,
          path,
          DELETE,
          List.of(path, recursive),
          new byte[0],
          _ -> Json.answer(200, Map.of("deleted", List.of(path), "count", 1)));
    }
    var json = Json.object(body);
    if (json.isEmpty()) {
      return Json.error(400, "invalid request body");
    }
    return change(call.last(), sprite, json.get());
  }

  private Response change(String operation, Sprite sprite, JsonNode json)
      throws IOException, InterruptedException {
    var flag = json.path("recursive").asBoolean(false) ? "-R" : "--";
    if (operation.startsWith("ch")) {
      var path = resolved(json, "path");
      var owner = json.path("uid").asString("") + ":" + json.path("gid").asString("");
      var word = operation.equals("chmod") ? json.path("mode").asString("") : owner;
      return commands.run(
          sprite,
          operation + " " + path,
          path,
          "exec \"$0\" \"$3\" -- \"$2\" \"$1\"",
          operation,
          List.of(path, word, flag.equals("-R") ? "-R" : "-c"),
          new byte[0],
          _ -> Json.answer(200, Map.of("affected", List.of(path), "count", 1)));
    }
    var source = resolved(json, "source");
    var dest = resolved(json, "dest");
    var pair = Map.of("source", source, "dest", dest);
    var rename = operation.equals("rename");
    var script =
        rename
            ? "exec mv -T -- \"$1\" \"$2\""
            : "exec cp -T " + (flag.equals("-R") ? "-R " : "") + "-- \"$1\" \"$2\"";
    return commands.run(
        sprite,
        operation + " " + source + " " + dest,
        source,
        script,
        List.of(source, dest),
        new byte[0],
        _ ->
            Json.answer(
                200, rename ? pair : Map.of("copied", List.of(pair), "count", 1, "totalBytes", 0)));
  }

  private static String path(Call call) {
    var directory = call.query().first("workingDir").filter(it -> !it.isEmpty()).orElse("/");
    return resolved(directory, call.query().first("path").orElse(""));
  }

  private static String resolved(JsonNode json, String field) {
    return resolved(json.path("workingDir").asString("/"), json.path(field).asString(""));
  }

  private static String resolved(String directory, String path) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("path is required");
    }
    return path.startsWith("/") ? path : directory + (directory.endsWith("/") ? "" : "/") + path;
  }

  private static String parent(String path) {
    return Optional.of(path.substring(0, path.lastIndexOf('/')))
        .filter(it -> !it.isEmpty())
        .orElse("/");
  }

  private static String mode(String octal) {
    return "0".repeat(Math.max(0, 4 - octal.length())) + octal;
  }
}
