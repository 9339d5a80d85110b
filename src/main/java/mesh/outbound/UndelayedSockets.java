package mesh.outbound;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Sockets that send at once. A request goes out as its head and then its body, and without this the
 * second waits for the receiver to confirm the first, which it may put off for 40 ms.
 */
final class UndelayedSockets extends SocketFactory {

  @Override
  public Socket createSocket() throws IOException {
    var socket = new Socket();
    socket.setTcpNoDelay(true);
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw connectsElsewhere();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw connectsElsewhere();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw connectsElsewhere();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw connectsElsewhere();
  }

  /** Which address is connected to is the client's matter, after it was judged. */
  private static UnsupportedOperationException connectsElsewhere() {
    return new UnsupportedOperationException("only sockets that are not connected yet");
  }
}
