package mesh.simulator.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;

/** An HTTP/1.1 server on 127.0.0.1: one virtual thread a connection, requests in order. */
public final class WireServer implements AutoCloseable {

  /** Answers one request, on the connection's thread. */
  @FunctionalInterface
  public interface Handler {
    void handle(Exchange exchange) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final Handler handler;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private WireServer(ServerSocket listener, Handler handler) {
    this.listener = listener;
    this.handler = handler;
  }

  /**
   * Listens at once.
   *
   * @param port 0 for any free one
   */
  public static WireServer start(int port, Handler handler) throws IOException {
    return start(port, handler, ServerSocketFactory.getDefault());
  }

  /** Listens at once, with TLS. */
  public static WireServer start(int port, Handler handler, SelfSigned identity)
      throws IOException {
    return start(port, handler, identity.context().getServerSocketFactory());
  }

  private static WireServer start(int port, Handler handler, ServerSocketFactory sockets)
      throws IOException {
    var loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    var server = new WireServer(sockets.createServerSocket(port, 256, loopback), handler);
    server.threads.execute(server::accept);
    return server;
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var socket = listener.accept();
        socket.setTcpNoDelay(true);
        connections.add(socket);
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          System.err.println("A connection could not be accepted: " + e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
      var requests = new RequestReader(in);
      for (var next = requests.next(); next.isPresent(); next = requests.next()) {
        var exchange = new Exchange(socket, in, next.get());
        handler.handle(exchange);
        if (!exchange.reusable()) {
          return;
        }
      }
    } catch (IOException e) {
      // The client went away, or what it sent was no HTTP: there is nobody to tell.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (!listener.isClosed()) {
        System.err.println("A simulator failed to answer:");
        e.printStackTrace();
      }
    } finally {
      connections.remove(socket);
    }
  }

  /** Drops every connection; returns when their threads have ended, after 5 s at most. */
  @Override
  public void close() {
    try {
      listener.close();
      for (var socket : connections) {
        socket.close();
      }
      threads.shutdownNow();
      var _ = threads.awaitTermination(5, TimeUnit.SECONDS);
    } catch (IOException e) {
      System.err.println("A simulator did not close cleanly: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
