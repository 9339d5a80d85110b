package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/** What an exec socket said. */
final class Conversed extends WebSocketListener {

  private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
  private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
  private final List<String> texts = new ArrayList<>();
  private final CountDownLatch exited = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch introduced = new CountDownLatch(1);
  private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();
  private OptionalInt exit = OptionalInt.empty();
  private OptionalInt closeCode = OptionalInt.empty();

  CompletableFuture<WebSocket> opened() {
    return socket;
  }

  WebSocket socket() {
    return socket.join();
  }

  @Override
  public void onOpen(WebSocket opened, Response response) {
    socket.complete(opened);
  }

  @Override
  public synchronized void onMessage(WebSocket from, String text) {
    texts.add(text);
    if (text.contains("session_info")) {
      introduced.countDown();
    }
  }

  @Override
  public synchronized void onMessage(WebSocket from, ByteString bytes) {
    frame(bytes.toByteArray());
  }

  private void frame(byte[] frame) {
    switch (frame[0]) {
      case 1 -> stdout.write(frame, 1, frame.length - 1);
      case 2 -> stderr.write(frame, 1, frame.length - 1);
      default -> {
        exit = frame.length == 2 ? OptionalInt.of(frame[1] & 0xff) : OptionalInt.empty();
        exited.countDown();
      }
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
    socket.completeExceptionally(
        response == null ? failure : new Refused(response.code(), response.message()));
    ended.countDown();
  }

  /** The upgrade was answered with a status. */
  static final class Refused extends RuntimeException {
    private final int status;

    private Refused(int status, String message) {
      super(status + " " + message);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  Conversed awaitExit() throws InterruptedException {
    assertThat(exited.await(20, TimeUnit.SECONDS)).as("an exit frame: %s", texts).isTrue();
    return this;
  }

  Conversed awaitEnd() throws InterruptedException {
    assertThat(ended.await(20, TimeUnit.SECONDS)).as("the end of the socket").isTrue();
    return this;
  }

  /** The id the session was introduced with. */
  String session() throws InterruptedException {
    assertThat(introduced.await(20, TimeUnit.SECONDS)).as("session_info").isTrue();
    return texts().stream()
        .flatMap(it -> Json.object(it.getBytes(UTF_8)).stream())
        .map(it -> it.path("session_id").asString(""))
        .filter(it -> !it.isEmpty())
        .findFirst()
        .orElseThrow();
  }

  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  synchronized String out() {
    return stdout.toString(UTF_8);
  }

  synchronized String err() {
    return stderr.toString(UTF_8);
  }

  synchronized int code() {
    return exit.orElseThrow();
  }

  synchronized OptionalInt exit() {
    return exit;
  }

  synchronized OptionalInt closeCode() {
    return closeCode;
  }

  synchronized List<String> texts() {
    return List.copyOf(texts);
  }

  Optional<String> text(String containing) {
    return texts().stream().filter(it -> it.contains(containing)).findFirst();
  }

  void sayInput(String input) {
    socket().send(ByteString.encodeUtf8("\0" + input));
  }

  void sayEndOfInput() {
    socket().send(ByteString.encodeUtf8("\4"));
  }

  void saySignal(String name) {
    socket().send("{\"type\":\"signal\",\"signal\":\"" + name + "\"}");
  }
}
