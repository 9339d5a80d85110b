package mesh;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import mesh.database.TestDatabase;
import org.springframework.util.FileSystemUtils;

/**
 * What a server in a process of its own is started from. The first few are started as they come;
 * for those after them there is a cache of loaded classes, as in Mesh's container image, so that
 * suites which start dozens spend half the time on it.
 */
final class ServerImage {

  /** Before it is worth the training run, which takes as long as two starts. */
  private static final int PLAIN_STARTS = 3;

  private static final AtomicInteger starts = new AtomicInteger();

  private ServerImage() {}

  /** Has all that start from now on start from the cache, which is made now. */
  static void expectMany() {
    var _ = Cached.start(List.of());
    starts.set(PLAIN_STARTS);
  }

  /**
   * @param options for the JVM, without those that say what to run
   * @param classPath ends with what a test adds to the server's own
   */
  record Start(List<String> options, String classPath) {}

  static Start next(List<Path> more) {
    return starts.incrementAndGet() <= PLAIN_STARTS
        ? new Start(List.of(), join(own(), more))
        : Cached.start(more);
  }

  private static List<Path> own() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("test-classes"))
        .map(Path::of)
        .toList();
  }

  private static String join(List<Path> own, List<Path> more) {
    var all = new ArrayList<>(own);
    all.addAll(more);
    return all.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Made once, when it is first asked for. */
  private static final class Cached {

    private static final Path FOLDER = folder();
    private static final List<Path> JARS = jars();
    private static final Path CACHE = train();

    static Start start(List<Path> more) {
      return new Start(List.of("-XX:AOTCache=" + CACHE), join(JARS, more));
    }

    private static Path folder() {
      try {
        var folder = Files.createTempDirectory("mesh-image-");
        Runtime.getRuntime()
            .addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(folder.toFile())));
        return folder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** A cache is of jars alone. */
    private static List<Path> jars() {
      var jars = new ArrayList<Path>();
      for (var entry : own()) {
        jars.add(Files.isDirectory(entry) ? jar(entry, jars.size()) : entry);
      }
      return jars;
    }

    private static Path jar(Path directory, int number) {
      var jar = FOLDER.resolve("classes-" + number + ".jar");
      int failed =
          ToolProvider.findFirst("jar")
              .orElseThrow()
              .run(
                  System.out,
                  System.err,
                  "--create",
                  "--no-compress",
                  "--file=" + jar,
                  "-C",
                  directory.toString(),
                  ".");
      if (failed != 0) {
        throw new IllegalStateException("no jar could be made of " + directory);
      }
      return jar;
    }

    private static Path train() {
      var cache = FOLDER.resolve("mesh.aot");
      try (var database = TestDatabase.fresh();
          var server =
              ServerProcess.begin(
                  new Start(List.of("-XX:AOTCacheOutput=" + cache), join(JARS, List.of())),
                  FOLDER.resolve("data"),
                  "spring.datasource.url=" + database.url())) {
        server.ready();
        server.stop();
        if (!Files.exists(cache)) {
          throw new IllegalStateException("no cache was made: " + server.output());
        }
      }
      return cache;
    }
  }
}
