package mesh.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {

  @ParameterizedTest
  @CsvSource({
    "https://api.example.com, https://api.example.com",
    "https://api.example.com/, https://api.example.com",
    "' https://API.Example.COM:443/v1 ', https://api.example.com/v1",
    "HTTPS://api.example.com./v1/, https://api.example.com/v1/",
    "https://bücher.example/v1, https://xn--bcher-kva.example/v1",
    "https://ｅｘａｍｐｌｅ.com, https://example.com",
    "https://api.example.com:8443/a/../b?x=1, https://api.example.com:8443/b?x=1",
    "https://8.8.8.8, https://8.8.8.8",
    "https://[2606:4700:4700:0::1111]/v1, https://[2606:4700:4700::1111]/v1"
  })
  void oneFormIsStored(String text, String stored) {
    assertThat(Destination.of(text, false).uri()).hasToString(stored);
  }

  @ParameterizedTest
  @CsvSource({
    "'', Write an address",
    "api.example.com, https://",
    "ftp://api.example.com, https://",
    "file:///etc/passwd, https://",
    "https:api.example.com, https://",
    "http://api.example.com, unencrypted",
    "https://user@api.example.com, user",
    "https://user:pass@api.example.com, user",
    "https://@api.example.com, user",
    "https://api.example.com/v1#x, fragment",
    "https://api.example.com\\@evil.example, backslash",
    "https://api.exa mple.com, blank",
    "https://127%2e0.0.1, percent",
    "https://, no address",
    "https://api.example.com.., no address",
    "https://api.example.com:22, Port 22",
    "https://api.example.com:80, Port 80",
    "https://api.example.com:99999, no address"
  })
  void whatCouldMeanSomethingElseIsRefusedWithTheReason(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Destination.of(text, false))
        .withMessageContaining(why);
  }

  /** Case 81: no resolver gets to read them in its own way. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2130706433",
        "127.1",
        "0x7f.0.0.1",
        "0x7f000001",
        "0177.0.0.1",
        "127.0.0.0x1",
        "017700000001",
        "999.0.0.1",
        "1.2.3.4.5"
      })
  void oddFormsOfAnAddressAreRefusedWhateverIsAllowed(String host) {
    for (boolean allowPrivate : new boolean[] {false, true}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Destination.of("https://" + host + "/v1", allowPrivate))
          .withMessageContaining("four decimal numbers");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1.",
        "１２７.0.0.1",
        "10.1.2.3",
        "192.168.1.20",
        "100.64.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::1]",
        "[fd12:3456::1]"
      })
  void privateAddressesNeedToBeAllowed(String host) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Destination.of("https://" + host + ":11434/v1", false))
        .withMessageContaining("Allow private addresses");

    assertThat(Destination.of("https://" + host + ":11434/v1", true).uri()).hasPort(11434);
    assertThat(Destination.of("http://" + host + ":11434/v1", true).uri()).hasScheme("http");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[::127.0.0.1]",
        "[::]",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "168.63.129.16"
      })
  void metadataAndNobodysAddressesAreRefusedWhateverIsAllowed(String host) {
    for (boolean allowPrivate : new boolean[] {false, true}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Destination.of("https://" + host + "/", allowPrivate))
          .withMessageContaining("never connects");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://8.8.8.8/v1", "http://[64:ff9b::808:808]/v1"})
  void nothingGoesUnencryptedToAPublicAddress(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Destination.of(url, true))
        .withMessageContaining("unencrypted");
  }
}
