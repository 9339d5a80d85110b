package mesh.outbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboundGuardTest {

  private final List<String> asked = new ArrayList<>();
  private HttpServer server;
  private int port;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    port = server.getAddress().getPort();
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().toString());
          if (exchange.getRequestURI().getPath().equals("/away")) {
            exchange
                .getResponseHeaders()
                .add("Location", "http://localhost:%d/metadata".formatted(port));
            exchange.sendResponseHeaders(302, -1);
          } else {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("hi".getBytes(UTF_8));
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @Test
  void anAllowedPrivateHostIsReached() throws IOException {
    try (var response = fetch("http://model.internal:%d/v1".formatted(port), true, "127.0.0.1")) {
      assertThat(response.code()).isEqualTo(200);
    }
  }

  @Test
  void anAllowedAddressIsReached() throws IOException {
    try (var response = fetch("http://127.0.0.1:%d/v1".formatted(port), true)) {
      assertThat(response.code()).isEqualTo(200);
    }
  }

  @Test
  void aPublicNameThatLeadsToAPrivateAddressIsNotConnectedTo() {
    assertRefused("https://api.example.com:%d/".formatted(port), false, "127.0.0.1")
        .withMessageContaining("127.0.0.1")
        .withMessageContaining("Allow private addresses");
  }

  @Test
  void oneBadAddressAmongGoodOnesIsEnough() {
    assertRefused("https://api.example.com/", false, "8.8.8.8", "10.0.0.7")
        .withMessageContaining("10.0.0.7");
  }

  @Test
  void metadataIsNotConnectedToThoughPrivateAddressesAreAllowed() {
    assertRefused("https://gateway.internal/", true, "10.0.0.7", "169.254.169.254")
        .withMessageContaining("169.254.169.254");
  }

  @Test
  void nothingGoesUnencryptedToANameThatIsPublic() {
    assertRefused("http://gateway.internal/", true, "8.8.8.8").withMessageContaining("unencrypted");
  }

  /** DNS rebinding: good when it was saved, bad when it is connected to. */
  @Test
  void theAddressIsJudgedAgainWithEachConnection() {
    var lookups = new AtomicInteger();
    var guard =
        new OutboundGuard(host ->
            List.of(
                InetAddress.ofLiteral(lookups.getAndIncrement() == 0 ? "8.8.8.8" : "127.0.0.1")));
    var destination = Destination.of("https://rebind.example:%d/".formatted(port), false);
    assertThat(guard.objection(destination)).isEmpty();

    var client = guard.hold(new OkHttpClient.Builder(), destination).build();

    assertThatExceptionOfType(DestinationRefused.class)
        .isThrownBy(() -> get(client, destination.uri().toString()))
        .withMessageContaining("127.0.0.1");
    assertThat(asked).isEmpty();
  }

  /** Case 81: an answer does not lead the key elsewhere. */
  @Test
  void redirectsAreAnswersAndNotFollowed() throws IOException {
    try (var response = fetch("http://127.0.0.1:%d/away".formatted(port), true)) {
      assertThat(response.code()).isEqualTo(302);
    }
    assertThat(asked).containsExactly("/away");
  }

  @Test
  void theClientIsForItsDestinationAlone() {
    var guard = guard("127.0.0.1");
    var destination = Destination.of("http://model.internal:%d/v1".formatted(port), true);
    var client = guard.hold(new OkHttpClient.Builder(), destination).build();

    for (var elsewhere :
        List.of(
            "http://127.0.0.1:%d/".formatted(port),
            "http://other.internal:%d/".formatted(port),
            "http://model.internal:%d/".formatted(port + 1),
            "https://model.internal:%d/".formatted(port))) {
      assertThatExceptionOfType(DestinationRefused.class)
          .isThrownBy(() -> get(client, elsewhere))
          .withMessageContaining("nothing was sent");
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void noProxyIsUsedSinceItWouldDoTheLookingUp() throws IOException {
    var nobody = new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("localhost", 1));
    var destination = Destination.of("http://model.internal:%d/v1".formatted(port), true);
    var client =
        guard("127.0.0.1").hold(new OkHttpClient.Builder().proxy(nobody), destination).build();

    try (var response = get(client, destination.uri().toString())) {
      assertThat(response.code()).isEqualTo(200);
    }
  }

  @Test
  void aNameThatLeadsNowhereMayBeSaved() {
    var guard =
        new OutboundGuard(host -> {
          throw new UnknownHostException(host);
        });

    assertThat(guard.objection(Destination.of("https://later.example", false))).isEmpty();
  }

  @Test
  void aNameThatLeadsToAPrivateAddressMayNotBeSaved() {
    assertThat(guard("10.0.0.7").objection(Destination.of("https://api.example.com", false)))
        .hasValueSatisfying(sentence -> assertThat(sentence).contains("10.0.0.7"));
  }

  private ThrowableAssertAlternative<DestinationRefused> assertRefused(
      String url, boolean allowPrivate, String... addresses) {
    var refused =
        assertThatExceptionOfType(DestinationRefused.class)
            .isThrownBy(() -> fetch(url, allowPrivate, addresses));
    assertThat(asked).isEmpty();
    return refused;
  }

  private static Response fetch(String url, boolean allowPrivate, String... addresses)
      throws IOException {
    var destination = Destination.of(url, allowPrivate);
    var client = guard(addresses).hold(new OkHttpClient.Builder(), destination).build();
    return get(client, destination.uri().toString());
  }

  private static Response get(OkHttpClient client, String url) throws IOException {
    return client.newCall(new Request.Builder().url(url).build()).execute();
  }

  private static OutboundGuard guard(String... addresses) {
    return new OutboundGuard(host -> Arrays.stream(addresses).map(InetAddress::ofLiteral).toList());
  }
}
