package mesh.simulator.modal;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ServerSocketFactory;

/**
 * The connections to the simulator, which can fall silent, as when a cable is pulled: what clients
 * send is not read, what is sent to them gets lost, and not even pings are answered.
 */
final class Wire extends ServerSocketFactory {

  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private boolean silent;

  synchronized void silent(boolean value) {
    silent = value;
    notifyAll();
  }

  private synchronized boolean isSilent() {
    return silent;
  }

  private synchronized void awaitSound(Socket socket) throws IOException {
    try {
      while (silent && !socket.isClosed()) {
        wait(100);
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  /** Breaks every connection there is. */
  void drop() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new Listening();
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  private final class Listening extends ServerSocket {

    private Listening() throws IOException {}

    @Override
    public Socket accept() throws IOException {
      var socket = new Connection();
      implAccept(socket);
      sockets.add(socket);
      return socket;
    }
  }

  private final class Connection extends Socket {

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          awaitSound(Connection.this);
          var count = super.read(bytes, offset, length);
          // What had come in before is not heard either until there is sound again.
          awaitSound(Connection.this);
          return count;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          if (!isSilent()) {
            out.write(bytes, offset, length);
          }
        }
      };
    }

    @Override
    public synchronized void close() throws IOException {
      sockets.remove(this);
      super.close();
    }
  }
}
