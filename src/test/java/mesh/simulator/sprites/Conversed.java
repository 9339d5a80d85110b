package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What an exec socket said. */
final class Conversed implements WebSocket.Listener {

  private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
  private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
  private final List<String> texts = new ArrayList<>();
  private final CountDownLatch exited = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch introduced = new CountDownLatch(1);
  private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();
  private final StringBuilder text = new StringBuilder();
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private OptionalInt exit = OptionalInt.empty();
  private OptionalInt closeCode = OptionalInt.empty();

  void socket(WebSocket opened) {
    socket.complete(opened);
  }

  WebSocket socket() {
    return socket.join();
  }

  @Override
  public synchronized @Nullable CompletionStage<?> onText(
      WebSocket from, CharSequence part, boolean last) {
    text.append(part);
    if (last) {
      texts.add(text.toString());
      if (text.indexOf("session_info") >= 0) {
        introduced.countDown();
      }
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public synchronized @Nullable CompletionStage<?> onBinary(
      WebSocket from, ByteBuffer part, boolean last) {
    var bytes = new byte[part.remaining()];
    part.get(bytes);
    message.writeBytes(bytes);
    if (last) {
      frame(message.toByteArray());
      message.reset();
    }
    from.request(1);
    return null;
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
  public synchronized @Nullable CompletionStage<?> onClose(
      WebSocket from, int code, String reason) {
    closeCode = OptionalInt.of(code);
    ended.countDown();
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    ended.countDown();
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
    socket().sendBinary(ByteBuffer.wrap(("\0" + input).getBytes(UTF_8)), true).join();
  }

  void sayEndOfInput() {
    socket().sendBinary(ByteBuffer.wrap(new byte[] {4}), true).join();
  }

  void saySignal(String name) {
    socket().sendText("{\"type\":\"signal\",\"signal\":\"" + name + "\"}", true).join();
  }
}
