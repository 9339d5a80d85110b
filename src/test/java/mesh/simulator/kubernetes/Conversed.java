package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the socket of a command said. */
final class Conversed extends WebSocketListener {

  private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
  private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
  private final ByteArrayOutputStream status = new ByteArrayOutputStream();
  private final List<Integer> empty = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();
  private OptionalInt closeCode = OptionalInt.empty();
  private String protocol = "";

  CompletableFuture<WebSocket> opened() {
    return socket;
  }

  WebSocket socket() {
    return socket.join();
  }

  @Override
  public void onOpen(WebSocket opened, Response response) {
    protocol = String.valueOf(response.header("Sec-WebSocket-Protocol"));
    socket.complete(opened);
  }

  @Override
  public synchronized void onMessage(WebSocket from, ByteString bytes) {
    var frame = bytes.toByteArray();
    if (frame.length == 1) {
      empty.add((int) frame[0]);
    }
    switch (frame[0]) {
      case 1 -> stdout.write(frame, 1, frame.length - 1);
      case 2 -> stderr.write(frame, 1, frame.length - 1);
      default -> status.write(frame, 1, frame.length - 1);
    }
  }

  @Override
  public synchronized void onClosing(WebSocket from, int code, String reason) {
    closeCode = OptionalInt.of(code);
    from.close(1000, null);
    ended.countDown();
  }

  @Override
  public void onFailure(WebSocket from, Throwable failure, @Nullable Response response) {
    try {
      socket.completeExceptionally(
          response == null ? failure : new Refused(response.code(), response.body().string()));
    } catch (IOException e) {
      socket.completeExceptionally(e);
    }
    ended.countDown();
  }

  /** The upgrade was answered with a status. */
  static final class Refused extends RuntimeException {
    private final int status;

    private Refused(int status, String message) {
      super(message);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  Conversed awaitEnd() throws InterruptedException {
    assertThat(ended.await(30, TimeUnit.SECONDS)).as("the end of the socket").isTrue();
    return this;
  }

  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  String protocol() {
    return protocol;
  }

  synchronized String out() {
    return stdout.toString(UTF_8);
  }

  synchronized long outBytes() {
    return stdout.size();
  }

  synchronized String err() {
    return stderr.toString(UTF_8);
  }

  synchronized boolean hasStatus() {
    return status.size() > 0;
  }

  synchronized JsonNode status() {
    return Json.read(status.toByteArray(), "");
  }

  /** The channels that said nothing, once. */
  synchronized List<Integer> empty() {
    return List.copyOf(empty);
  }

  int code() {
    var status = status();
    return status.path("status").asString("").equals("Success")
        ? 0
        : Integer.parseInt(
            status.path("details").path("causes").path(0).path("message").asString(""));
  }

  synchronized OptionalInt closeCode() {
    return closeCode;
  }

  void sayInput(String input) {
    socket().send(ByteString.encodeUtf8("\0" + input));
  }

  void sayEndOfInput() {
    socket().send(ByteString.of((byte) 255, (byte) 0));
  }
}
