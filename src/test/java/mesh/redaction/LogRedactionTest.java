package mesh.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import mesh.Canaries;
import mesh.secret.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class LogRedactionTest {

  private static final Logger log = LoggerFactory.getLogger(LogRedactionTest.class);

  @Test
  void aLineHoldsNoSecretInItsTextItsValuesOrItsTrace(CapturedOutput output) {
    var token = Canaries.fresh("ghp_");
    var redactions = SecretSet.of(List.of(Secret.of(token)));
    try (var _ = LogRedaction.with(() -> List.of(redactions))) {
      log.atWarn()
          .setCause(new IllegalStateException("the vendor said " + token))
          .addKeyValue("said", token)
          .log("failed with {}", token);
    }

    assertThat(output.getAll()).contains("failed with " + Redactions.MARKER);
    assertThat(Canaries.in(output.getAll())).isEmpty();
  }
}
