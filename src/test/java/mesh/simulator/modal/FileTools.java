package mesh.simulator.modal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program in every sandbox that the clients' file calls run: one command as JSON, bytes on its
 * standard streams, and errors as JSON on standard error. {@code Watch} is not simulated.
 */
final class FileTools {

  static final String PROGRAM = "/__modal/.bin/modal-sandbox-fs-tools";

  private static final JsonMapper JSON = new JsonMapper();
  private static final long LARGEST = 5_000_000_000L;

  private final Path root;
  private final Spool stdout;
  private final Spool stderr;

  private FileTools(Path root, Spool stdout, Spool stderr) {
    this.root = root;
    this.stdout = stdout;
    this.stderr = stderr;
  }

  /**
   * @param root the sandbox's root directory, with its mounts
   * @param ended runs after the end and before anybody is told of it
   */
  static Execution start(
      Path root, List<String> arguments, Spool stdout, Spool stderr, Runnable ended) {
    var tools = new FileTools(root, stdout, stderr);
    var command = parse(arguments);
    var write = command.path("WriteFile");
    if (write.isObject()) {
      return tools.receive(write.path("path").asString(""), ended);
    }
    var execution = new Execution(stdout, stderr, OutputStream.nullOutputStream());
    Thread.ofVirtual().start(() -> tools.finish(execution, () -> tools.run(command), ended));
    return execution;
  }

  private static JsonNode parse(List<String> arguments) {
    try {
      return JSON.readTree(arguments.isEmpty() ? "{}" : arguments.getFirst());
    } catch (JacksonException e) {
      return JSON.createObjectNode();
    }
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Writes what it is sent until that ends; one that cannot ends at once, as the program does. */
  private Execution receive(String path, Runnable ended) {
    try {
      var incoming = new Incoming(open(path));
      var execution = new Execution(stdout, stderr, incoming);
      incoming.whenClosed(() -> finish(execution, () -> {}, ended));
      return execution;
    } catch (IOException e) {
      var execution = new Execution(stdout, stderr, new Unread());
      Thread.ofVirtual()
          .start(() ->
              finish(
                  execution,
                  () -> {
                    throw e;
                  },
                  ended));
      return execution;
    }
  }

  private OutputStream open(String path) throws IOException {
    try {
      var file = Rooted.find(root, path, true);
      var parent = file.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      if (Files.isDirectory(file)) {
        throw new FileTrouble("IsDirectory", path + " is a directory");
      }
      return Files.newOutputStream(file);
    } catch (NotDirectoryException e) {
      throw new FileTrouble("AlreadyExists", "a parent of " + path + " is a file");
    }
  }

  private void finish(Execution execution, Work work, Runnable ended) {
    var code = 0;
    try {
      work.run();
    } catch (IOException e) {
      code = 1;
      complain(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      code = 1;
    }
    stdout.end();
    stderr.end();
    ended.run();
    execution.end(new Exit.Code(code));
  }

  private void run(JsonNode command) throws IOException, InterruptedException {
    var name = command.propertyNames().stream().findFirst().orElse("");
    var arguments = command.path(name);
    var path = arguments.path("path").asString("");
    switch (name) {
      case "ReadFile" -> read(path);
      case "ListFiles" -> list(path);
      case "Stat" -> print(FileDetails.of(Rooted.find(root, path, false), path));
      case "MakeDirectory" -> make(path, arguments.path("parents").asBoolean(false));
      case "Remove" -> remove(path, arguments.path("recursive").asBoolean(false));
      default -> throw new FileTrouble("NotSupported", "no such command: " + name);
    }
  }

  private void read(String path) throws IOException, InterruptedException {
    var file = Rooted.find(root, path, true);
    if (Files.isDirectory(file)) {
      throw new FileTrouble("IsDirectory", path + " is a directory");
    }
    if (Files.size(file) > LARGEST) {
      throw new FileTrouble("FileTooLarge", path + " is too large");
    }
    try (var from = Files.newInputStream(file)) {
      var buffer = new byte[256 * 1024];
      for (var count = from.read(buffer); count >= 0; count = from.read(buffer)) {
        stdout.write(buffer, count);
      }
    }
  }

  private void list(String path) throws IOException, InterruptedException {
    var directory = Rooted.find(root, path, true);
    if (!Files.readAttributes(directory, BasicFileAttributes.class).isDirectory()) {
      throw new FileTrouble("NotDirectory", path + " is not a directory");
    }
    var folder = path.endsWith("/") ? path : path + "/";
    var rows = new ArrayList<Map<String, Object>>();
    try (var files = Files.list(directory)) {
      for (var file : files.sorted(Comparator.comparing(Path::toString)).toList()) {
        rows.add(FileDetails.of(file, folder + file.getFileName()));
      }
    }
    print(rows);
  }

  private void make(String path, boolean parents) throws IOException {
    var directory = Rooted.find(root, path, true);
    if (Files.isDirectory(directory) && parents) {
      return;
    }
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileTrouble("PathAlreadyExists", path + " exists");
    }
    if (parents) {
      Files.createDirectories(directory);
    } else {
      Files.createDirectory(directory);
    }
  }

  private void remove(String path, boolean recursive) throws IOException {
    var file = Rooted.find(root, path, false);
    if (!recursive) {
      Files.delete(file);
      return;
    }
    // The whole tree, or an error if there is none.
    try (var files = Files.walk(file)) {
      for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private void print(Object answer) throws IOException, InterruptedException {
    var bytes = JSON.writeValueAsBytes(answer);
    stdout.write(bytes, bytes.length);
  }

  private void complain(IOException trouble) {
    var reason = trouble.getMessage() == null ? trouble.toString() : trouble.getMessage();
    var error = new LinkedHashMap<String, Object>();
    error.put("error_kind", kind(trouble));
    error.put("message", reason.replace(root.toString(), ""));
    error.put("detail", trouble.getClass().getSimpleName());
    var bytes = JSON.writeValueAsString(error).getBytes(UTF_8);
    try {
      stderr.write(bytes, bytes.length);
    } catch (IOException e) {
      System.err.println("A file's error could not be kept: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String kind(IOException trouble) {
    return switch (trouble) {
      case FileTrouble it -> it.kind();
      case NoSuchFileException _ -> "NotFound";
      case AccessDeniedException _ -> "PermissionDenied";
      case DirectoryNotEmptyException _ -> "DirectoryNotEmpty";
      case FileAlreadyExistsException _ -> "AlreadyExists";
      case NotDirectoryException _ -> "NotDirectory";
      case FileSystemException it when "Read-only file system".equals(it.getReason()) ->
          "PermissionDenied";
      default -> "Other";
    };
  }
}
