package mesh.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

class ListeningTest {

  private final ServerProperties server = new ServerProperties();
  private final TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory();

  @Test
  void withoutAnAddressOnlyThisMachineIsHeard() {
    listen(false);

    assertThat(factory.getAddress()).isEqualTo(InetAddress.getLoopbackAddress());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1"})
  void thisMachineIsFine(String address) throws Exception {
    server.setAddress(InetAddress.getByName(address));

    assertThatCode(() -> listen(false)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.7"})
  void otherMachinesNeedTlsOrAProxy(String address) throws Exception {
    server.setAddress(InetAddress.getByName(address));

    assertThatThrownBy(() -> listen(false))
        .isInstanceOf(UnsafeBind.class)
        .hasMessageContaining("MESH_BEHIND_PROXY")
        .hasMessageNotContaining("\n");
    assertThatCode(() -> listen(true)).doesNotThrowAnyException();
    server.setSsl(new Ssl());
    assertThatCode(() -> listen(false)).doesNotThrowAnyException();
  }

  @Test
  void aProxysWordIsTakenOnlyIfItIsDeclared() {
    listen(false);
    assertThat(factory.getEngineValves()).isEmpty();

    listen(true);
    assertThat(factory.getEngineValves()).hasSize(1);
  }

  @Test
  void theRefusalIsOneLine() throws Exception {
    UnsafeBind refusal = new UnsafeBind(InetAddress.getByName("0.0.0.0"));

    var analysis = new UnsafeBind.Analyzer().analyze(new IllegalStateException(refusal));

    assertThat(analysis)
        .extracting(FailureAnalysis::getDescription)
        .isEqualTo(refusal.getMessage());
  }

  @Test
  void theCookieIsBoundToTheHostOverHttps() {
    assertThat(new AccessSettings(URI.create("https://mesh.example"), false).https()).isTrue();
    assertThat(new AccessSettings(URI.create("http://localhost:8080"), false).https()).isFalse();
    assertThat(new AccessSettings(null, true).https()).isFalse();
  }

  private void listen(boolean behindProxy) {
    new Listening(server, new AccessSettings(null, behindProxy)).customize(factory);
  }
}
