package mesh.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Random;
import mesh.secret.Secret;
import mesh.web.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigningSecretTest {

  /** The example of the specification's own libraries; nobody's secret. */
  @Test
  void theSignatureIsThatOfTheSpecification() {
    var secret = SigningSecret.of(Secret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));

    assertThat(
            secret.signature(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                1614265330,
                "{\"test\": 2432232314}".getBytes(UTF_8)))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void aMadeOneIsOfTheFormThatIsTaken() {
    var made = SigningSecret.make(new Random(1));

    assertThat(SigningSecret.of(made.text()).text()).isEqualTo(made.text());
    assertThat(Base64.getDecoder().decode(made.text().reveal().substring(6))).hasSize(32);
    assertThat(made).hasToString("[secret]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "whsec_", "whsec_!!!!", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"})
  void whatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> SigningSecret.of(Secret.of(text)))
        .isInstanceOfSatisfying(
            Problem.class, it -> assertThat(it.code()).isEqualTo("webhook_invalid"));
  }
}
