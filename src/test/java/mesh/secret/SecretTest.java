package mesh.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class SecretTest {

  private final Secret secret = Secret.of("canary");
  private final JsonMapper json = new JsonMapper();

  @Test
  void itDoesNotShow() {
    assertThat("" + secret).isEqualTo("[secret]");
    assertThat(new Holder(secret).toString()).doesNotContain("canary");
    assertThat(secret.hashCode()).isEqualTo(Secret.of("other").hashCode());
  }

  @Test
  void itIsNotWrittenAsJsonWhereverItIs() {
    for (Object holder : new Object[] {secret, new Holder(secret), Map.of("token", secret)}) {
      assertThatThrownBy(() -> json.writeValueAsString(holder))
          .isInstanceOf(JacksonException.class)
          .hasMessageNotContaining("canary");
    }
  }

  /** Some libraries bring the older Jackson, which knows nothing of our refusal. */
  @Test
  void theOlderJacksonFindsNothingToWrite() throws Exception {
    assertThat(new com.fasterxml.jackson.databind.ObjectMapper().writeValueAsString(secret))
        .isEqualTo("{}");
  }

  @Test
  void itIsNotSerialized() {
    assertThatThrownBy(
            () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(secret))
        .isInstanceOf(NotSerializableException.class);
  }

  @Test
  void itIsReadFromARequest() {
    Holder holder = json.readValue("{\"token\":\"canary\"}", Holder.class);

    assertThat(holder.token()).isEqualTo(secret);
    assertThat(holder.token().reveal()).isEqualTo("canary");
  }

  record Holder(Secret token) {}
}
