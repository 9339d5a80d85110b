package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;

/** A client of a command that reads only what it is told to. */
final class SlowReader implements AutoCloseable {

  private final Socket socket;

  private SlowReader(Socket socket) {
    this.socket = socket;
  }

  static SlowReader open(KubernetesSimulator cluster, String pod, String script)
      throws IOException {
    var address = URI.create(cluster.url());
    var socket = new Socket(address.getHost(), address.getPort());
    var head =
        """
        GET /api/v1/namespaces/default/pods/%s/exec?stdout=true&command=sh&command=-c&command=%s \
        HTTP/1.1
        Host: localhost
        Authorization: Bearer %s
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Version: 13
        Sec-WebSocket-Key: c2ltdWxhdGVkIGtleSAxMg==
        Sec-WebSocket-Protocol: v5.channel.k8s.io

        """
            .formatted(pod, URLEncoder.encode(script, UTF_8), cluster.token());
    socket.getOutputStream().write(head.replace("\n", "\r\n").getBytes(US_ASCII));
    return new SlowReader(socket);
  }

  void read(int bytes) throws IOException {
    socket.getInputStream().readNBytes(bytes);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
