package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EgressPolicyTest {

  private static final EgressPolicy POLICY = new EgressPolicy(Set.of("example.com", "*.svc.test"));

  /** Cases 29 and 79. */
  @ParameterizedTest
  @CsvSource({
    "example.com, true",
    "EXAMPLE.com., true",
    "notexample.com, false",
    "www.example.com, false",
    "example.com.attacker.test, false",
    "example.comx, false",
    "a.svc.test, true",
    "a.b.svc.test, true",
    "svc.test, false",
    "xsvc.test, false",
    ".svc.test, false",
    "svc.test.evil.test, false",
    "'', false",
    "., false",
    "10.0.0.1, false"
  })
  void wholeLabelsCount(String host, boolean allowed) {
    assertThat(POLICY.allows(host)).isEqualTo(allowed);
  }
}
