package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoorTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/runs\r\nLocation: https://evil.example/",
        ""
      })
  void nobodyIsSentElsewhere(String back) {
    assertThat(DoorController.local(back)).isEqualTo("/");
  }

  @Test
  void everybodyIsSentBackToWhereTheyWere() {
    assertThat(DoorController.local("/runs?status=failed")).isEqualTo("/runs?status=failed");
  }
}
