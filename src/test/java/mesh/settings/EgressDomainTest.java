package mesh.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressDomainTest {

  /** Case 79. */
  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "Example.COM.,example.com",
        " example.com ,example.com",
        "*.Example.com,*.example.com",
        "a-b.c-d.example,a-b.c-d.example",
        "xn--bcher-kva.example,xn--bcher-kva.example",
        "bücher.example,xn--bcher-kva.example",
        "*.BÜCHER.example.,*.xn--bcher-kva.example",
        "straße.example,xn--strae-oqa.example",
        "ｅｘａｍｐｌｅ.com,example.com",
        "example。com,example.com",
        "1password.com,1password.com",
        "123.example,123.example"
      })
  void oneFormIsStored(String entry, String stored) {
    assertThat(EgressDomain.of(entry)).isEqualTo(new EgressDomain.Valid(stored));
  }

  /** Case 80. */
  @ParameterizedTest
  @CsvSource({
    "example.com:443, port",
    "https://example.com/, scheme",
    "example.com/path, path",
    "user@example.com, user",
    "*.com, top-level",
    "*, every host",
    "*., every host",
    "a.*.com, middle",
    "*a.example.com, middle",
    "**.example.com, middle",
    "'', empty",
    "'  ', empty",
    "a..b, two dots",
    ".example.com, two dots",
    "example.com.., two dots",
    "exam ple.com, DNS",
    "-a.example.com, part",
    "a-.example.com, part",
    "a_b.example.com, part",
    "example%2ecom, percent",
    "example.com?x, path",
    "intranet, one part",
    "com, one part"
  })
  void whatIsNoHostNameIsRefusedWithTheReason(String entry, String why) {
    assertThat(EgressDomain.of(entry))
        .isInstanceOfSatisfying(
            EgressDomain.Invalid.class, it -> assertThat(it.why()).contains(why));
  }

  /** Cases 81 and 112. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1",
        "10.0.0.1.",
        "2130706433",
        "127.1",
        "0x7f.0.0.1",
        "0x7f000001",
        "0177.0.0.1",
        "0.0.0.0",
        "1.2.3.0x",
        "[::ffff:169.254.169.254]",
        "[::127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "::1",
        "fd00::1",
        "169.254.169.254",
        "１２７.0.0.1",
        "*.0.0.1",
        "example.123"
      })
  void noFormOfAnAddressIsAName(String entry) {
    assertThat(EgressDomain.of(entry))
        .isInstanceOfSatisfying(
            EgressDomain.Invalid.class, it -> assertThat(it.why()).contains("IP address"));
  }

  /** Case 112. */
  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LOCALHOST.", "a.localhost", "*.localhost", "localhost.localdomain"})
  void theSandboxItselfNeedsNoEntry(String entry) {
    assertThat(EgressDomain.of(entry))
        .isInstanceOfSatisfying(
            EgressDomain.Invalid.class, it -> assertThat(it.why()).contains("itself"));
  }

  @Test
  void whatIsTooLongIsRefused() {
    var label = "a".repeat(63);
    assertThat(EgressDomain.of(label + ".example")).isInstanceOf(EgressDomain.Valid.class);
    assertThat(EgressDomain.of("a" + label + ".example")).isInstanceOf(EgressDomain.Invalid.class);
    var long253 = String.join(".", List.of(label, label, label, "a".repeat(61)));
    assertThat(long253).hasSize(253);
    assertThat(EgressDomain.of(long253)).isInstanceOf(EgressDomain.Valid.class);
    assertThat(EgressDomain.of("a" + long253)).isInstanceOf(EgressDomain.Invalid.class);
    assertThat(EgressDomain.of(null)).isInstanceOf(EgressDomain.Invalid.class);
  }

  /** What is built in is subject to the same rules. */
  @Test
  void theBuiltInHostsAreStoredFormsToo() {
    assertThat(BuiltinHosts.all())
        .isNotEmpty()
        .isSorted()
        .doesNotHaveDuplicates()
        .allSatisfy(
            host -> assertThat(EgressDomain.of(host)).isEqualTo(new EgressDomain.Valid(host)));
    for (var ecosystem : BuiltinHosts.values()) {
      assertThat(ecosystem.domains()).as(ecosystem.title()).anyMatch(it -> it.startsWith("*."));
    }
  }
}
