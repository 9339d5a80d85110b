package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import mesh.tool.LiveOutput;

/** Turns one channel's redacted bytes into whole characters for whoever watches. */
final class LiveText {

  private final String channel;
  private final LiveOutput live;
  private byte[] held = new byte[0];

  LiveText(String channel, LiveOutput live) {
    this.channel = channel;
    this.live = live;
  }

  void write(ByteBuffer bytes) {
    if (live.equals(LiveOutput.NONE)) {
      return;
    }
    var all = new byte[held.length + bytes.remaining()];
    System.arraycopy(held, 0, all, 0, held.length);
    bytes.duplicate().get(all, held.length, bytes.remaining());
    int end = Utf8.lastBoundary(all, all.length);
    held = java.util.Arrays.copyOfRange(all, end, all.length);
    send(all, end);
  }

  void end() {
    send(held, held.length);
    held = new byte[0];
  }

  private void send(byte[] bytes, int length) {
    if (length > 0) {
      live.accept(channel, new String(bytes, 0, length, UTF_8));
    }
  }
}
