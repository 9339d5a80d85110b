package mesh.inference;

import static mesh.inference.SimulatedService.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import mesh.outbound.OutboundGuard;
import okhttp3.Dns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelChoiceTest {

  @Test
  void readsWhatItKnowsAndLeavesTheRest() {
    assertThat(
            ModelChoice.of(
                json(
                    """
                    {"connection":" main ","model":"m-1","context_tokens":9000,"reply_tokens":800,
                     "temperature":0.5,"instructions":"none of its matter","max_steps":7}
                    """)))
        .isEqualTo(new ModelChoice.Remote("main", "m-1", new Model.Window(9_000, 800), 0.5));
    assertThat(ModelChoice.of(json("{\"connection\":\"main\",\"model\":\"m-1\"}")))
        .isEqualTo(new ModelChoice.Remote("main", "m-1", new Model.Window(128_000, 8_192), null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'model':'m'} | needs a connection",
        "{'connection':'main'} | needs a model",
        "{'connection':7,'model':'m'} | 'connection' must be a text",
        "{'connection':'main','model':'m','context_tokens':100,'reply_tokens':100} | no room",
        "{'connection':'main','model':'m','reply_tokens':0} | whole number of tokens",
        "{'connection':'main','model':'m','context_tokens':1e99} | whole number of tokens",
        "{'connection':'main','model':'m','temperature':3} | from 0 to 2",
        "{'kind':'oracle'} | oracle",
        "{'kind':'scripted'} | list of steps",
        "{} | external"
      },
      quoteCharacter = '`')
  void saysWhatToChange(String configuration, String sentence) {
    assertThatThrownBy(() -> ModelChoice.of(json(configuration.replace('\'', '"'))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void aConnectionThatIsNotThereIsNamed() {
    try (var clients =
        new Clients(
            new Transport(new OutboundGuard(Dns.SYSTEM)), Clock.systemUTC(), UUID::randomUUID)) {
      var attempts = new Attempts(System::nanoTime, (Duration _) -> {}, new Random(1));
      var models = new Models(_ -> Optional.empty(), clients, attempts, Patience.USUAL);

      assertThatThrownBy(() -> models.of(json("{\"connection\":\"main\",\"model\":\"m-1\"}")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("There is no connection 'main': set it up under Settings → Models.");
    }
  }
}
