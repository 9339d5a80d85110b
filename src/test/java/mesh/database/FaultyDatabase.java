package mesh.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mesh.Await;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL of its own behind a proxy of its own, so that it can be stopped, frozen and cut off.
 * A fresh, migrated-by-whoever-comes database; real processes and real sockets.
 */
public final class FaultyDatabase implements AutoCloseable {

  private static final long LOOK_NANOS = 5_000_000;

  private final Path folder;
  private final ServerSocket proxy;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final EmbeddedPostgres server;
  private List<String> commandLine = List.of();
  private String program = "";
  private @Nullable Process restarted;
  private volatile boolean cut;
  private volatile boolean closed;
  private volatile boolean frozen;

  private FaultyDatabase(Path folder, ServerSocket proxy, int port, EmbeddedPostgres server) {
    this.folder = folder;
    this.proxy = proxy;
    this.port = port;
    this.server = server;
    Thread.ofVirtual().name("faulty-database").start(this::accept);
  }

  public static FaultyDatabase start() {
    try {
      var folder = Files.createTempDirectory("mesh-faulty-pg");
      var server = builder(folder).setCleanDataDirectory(true).start();
      return new FaultyDatabase(
          folder,
          new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
          server.getPort(),
          server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedPostgres.Builder builder(Path folder) {
    return EmbeddedPostgres.builder()
        .setDataDirectory(folder.resolve("data"))
        .setRegisterShutdownHook(false)
        // A commit that was answered survives a kill; the library's default loses the last moments.
        .setServerConfig("synchronous_commit", "on")
        .setPGStartupWait(Duration.ofSeconds(60))
        .setLocaleConfig("locale-provider", "builtin")
        .setLocaleConfig("builtin-locale", "C.UTF-8")
        .setLocaleConfig("locale", "C")
        .setServerConfig("unix_socket_directories", "");
  }

  /** Through the proxy, with user and password in it. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres&password="
        .formatted(proxy.getLocalPort());
  }

  /** Kills the server and all its backends. */
  public void stop() {
    commandLine = postmaster().info().arguments().map(List::of).orElseThrow();
    program = postmaster().info().command().orElseThrow();
    processes("-KILL");
  }

  /**
   * Starts it again on what it had; returns before it answers. A backend that outlived the server
   * for a moment keeps a new one from starting, so that may take more than one try.
   */
  public void startAgain() {
    // Whoever is root starts it in a namespace of users where it is not, as it was the first time.
    var command = new ArrayList<String>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(program);
    command.addAll(commandLine);
    var log = folder.resolve("restart.log").toFile();
    Await.until(
        Duration.ofSeconds(20),
        () -> {
          Files.deleteIfExists(folder.resolve("data/postmaster.pid"));
          restarted =
              new ProcessBuilder(command)
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                  .start();
          return restarted.waitFor(2, TimeUnit.SECONDS) ? Files.readString(log.toPath()) : "";
        },
        String::isEmpty);
  }

  /** Stops the server and all its backends in their tracks; the connections stay open. */
  public void freeze() {
    frozen = true;
    processes("-STOP");
  }

  public void thaw() {
    processes("-CONT");
    frozen = false;
  }

  /** Nothing gets through any more, in either direction, and nobody is told. */
  public void cut() {
    cut = true;
  }

  /** The packets that were dropped are lost with their connections. */
  public void mend() {
    sockets.forEach(FaultyDatabase::closeQuietly);
    cut = false;
  }

  private void processes(String signal) {
    try {
      var postmaster = postmaster();
      var all = new ArrayList<ProcessHandle>();
      all.add(postmaster);
      postmaster.descendants().forEach(all::add);
      for (var process : all) {
        var kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
        kill.waitFor(5, TimeUnit.SECONDS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ProcessHandle postmaster() {
    try {
      var pid = Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid")).get(0));
      return ProcessHandle.of(pid).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A test that failed in between left it frozen, and then it does not hear that it is to end. */
  private void thawIfFrozen() {
    if (frozen) {
      thaw();
    }
  }

  private void accept() {
    while (!closed) {
      try {
        var client = proxy.accept();
        sockets.add(client);
        if (cut) {
          continue;
        }
        var upstream = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(upstream);
        Thread.ofVirtual().start(() -> pump(client, upstream));
        Thread.ofVirtual().start(() -> pump(upstream, client));
      } catch (IOException refusedOrClosed) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  private void pump(Socket from, Socket to) {
    try (from;
        to) {
      var buffer = new byte[16 * 1024];
      int read;
      while ((read = from.getInputStream().read(buffer)) >= 0) {
        if (cut) {
          // Swallowed, and the connection looks alive for as long as nobody mends this.
          while (cut && !closed) {
            LockSupport.parkNanos(LOOK_NANOS);
          }
          return;
        }
        to.getOutputStream().write(buffer, 0, read);
        to.getOutputStream().flush();
      }
    } catch (IOException over) {
      // Either side is gone.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It was.
    }
  }

  @Override
  public void close() {
    closed = true;
    sockets.forEach(FaultyDatabase::closeQuietly);
    thawIfFrozen();
    try {
      proxy.close();
      server.close();
      if (restarted != null) {
        restarted.destroy();
      }
      FileSystemUtils.deleteRecursively(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
