package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import mesh.simulator.http.Response;

/** Runs the small commands behind the file calls, and words their failures as the vendor does. */
final class FileCommands {

  /** A pipe that nobody reads must not hold a call for ever. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** A longer file is streamed. */
  private static final int WHOLE_BYTES = 1024 * 1024;

  private static final Map<String, String> CODES =
      Map.ofEntries(
          Map.entry("no such file or directory", "ENOENT"),
          Map.entry("file exists", "EEXIST"),
          Map.entry("not a directory", "ENOTDIR"),
          Map.entry("is a directory", "EISDIR"),
          Map.entry("permission denied", "EACCES"),
          Map.entry("operation not permitted", "EPERM"),
          Map.entry("directory not empty", "ENOTEMPTY"),
          Map.entry("invalid argument", "EINVAL"),
          Map.entry("file name too long", "ENAMETOOLONG"),
          Map.entry("too many levels of symbolic links", "ELOOP"),
          Map.entry("no space left on device", "ENOSPC"),
          Map.entry("read-only file system", "EROFS"));

  private final Settings settings;

  FileCommands(Settings settings) {
    this.settings = settings;
  }

  /**
   * Runs a script of the shell.
   *
   * @param what completes the error's text, for example {@code open /tmp/x}
   * @param answer of the script's output, if it succeeds
   */
  Response run(
      Sprite sprite,
      String what,
      String path,
      String script,
      List<String> arguments,
      byte[] input,
      Function<byte[], Response> answer)
      throws IOException, InterruptedException {
    return run(sprite, what, path, script, "sh", arguments, input, answer);
  }

  /** The same, with a name for the script's {@code $0}. */
  Response run(
      Sprite sprite,
      String what,
      String path,
      String script,
      String name,
      List<String> arguments,
      byte[] input,
      Function<byte[], Response> answer)
      throws IOException, InterruptedException {
    var process = start(sprite, script, name, arguments);
    var errors =
        CompletableFuture.supplyAsync(
            () -> text(process.getErrorStream()), Thread::startVirtualThread);
    Thread.startVirtualThread(() -> feed(process, input));
    var output =
        CompletableFuture.supplyAsync(
            () -> bytes(process.getInputStream()), Thread::startVirtualThread);
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      end(process);
      return failure(500, what, path, "timed out");
    }
    return process.exitValue() == 0
        ? answer.apply(output.join())
        : failure(what, path, errors.join());
  }

  /** Answers a script's output as it comes. */
  Response stream(Sprite sprite, String what, String path, String script, List<String> arguments)
      throws IOException, InterruptedException {
    var process = start(sprite, script, "sh", arguments);
    process.getOutputStream().close();
    var errors =
        CompletableFuture.supplyAsync(
            () -> text(process.getErrorStream()), Thread::startVirtualThread);
    Pause.then(LIMIT, () -> end(process));
    var output = process.getInputStream();
    var first = output.readNBytes(WHOLE_BYTES);
    if (first.length == WHOLE_BYTES) {
      return Response.streamed(
          "application/octet-stream",
          out -> {
            try (var all = new SequenceInputStream(new ByteArrayInputStream(first), output)) {
              all.transferTo(out);
            } finally {
              end(process);
            }
          });
    }
    return process.waitFor() == 0
        ? Response.of(200, "application/octet-stream", first)
        : failure(what, path, errors.join());
  }

  private Process start(Sprite sprite, String script, String name, List<String> arguments)
      throws IOException {
    var argv = new ArrayList<>(List.of("/bin/sh", "-c", script, name));
    argv.addAll(arguments);
    return sprite.machine().command("/", ExecRequest.defaultEnvironment(), argv).start();
  }

  /** What runs inside ends as well: its output has nowhere to go, and its input ended. */
  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private Response failure(String what, String path, String errors) {
    var reason = errors.strip();
    reason = reason.substring(reason.lastIndexOf(": ") + 1).strip().toLowerCase(Locale.ROOT);
    var status =
        switch (CODES.getOrDefault(reason, "EIO")) {
          case "ENOENT" -> 404;
          case "EACCES", "EPERM", "EROFS" -> 403;
          case "EEXIST", "ENOTEMPTY" -> 409;
          case "EIO", "ENOSPC" -> 500;
          default -> 400;
        };
    return failure(status, what, path, reason);
  }

  private Response failure(int status, String what, String path, String reason) {
    var json = new LinkedHashMap<String, Object>();
    json.put("error", what + ": " + reason);
    if (settings.mode() == Mode.SDK_FRIENDLY) {
      json.put("code", CODES.getOrDefault(reason, "EIO"));
    }
    json.put("path", path);
    return Json.answer(status, json);
  }

  private static void feed(Process process, byte[] input) {
    try (var stdin = process.getOutputStream()) {
      stdin.write(input);
    } catch (IOException e) {
      // The command failed before it read all; its exit code says so.
    }
  }

  private static byte[] bytes(InputStream from) {
    try (from) {
      return from.readAllBytes();
    } catch (IOException e) {
      return new byte[0];
    }
  }

  private static String text(InputStream from) {
    return new String(bytes(from), UTF_8);
  }
}
