package mesh.agentapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class McpOutputTest {

  private final McpOutput output = new McpOutput();

  @Test
  void whatNobodyTookIsLeftOutFromItsBeginningAndBetweenCharacters() {
    output.accept("stdout", "a");
    output.accept("stdout", "😀".repeat(McpOutput.MOST));
    output.accept("stderr", "z");

    var told = output.take();

    assertThat(told).startsWith("… ").contains(" characters omitted …\n😀").endsWith("😀z");
    assertThat(told.chars().filter(c -> Character.isSurrogate((char) c)).count() % 2).isZero();
    assertThat(told.length()).isBetween(McpOutput.MOST - 2, McpOutput.MOST + 50);
    assertThat(output.take()).isEmpty();
  }

  @Test
  void whoWaitsIsWokenByOutputAndByTheEnd() throws InterruptedException {
    assertThat(output.await(Duration.ZERO)).isFalse();
    output.accept("stdout", "x");
    assertThat(output.await(Duration.ofDays(1))).isTrue();
    assertThat(output.awaitEnd(Duration.ofMillis(1))).isFalse();

    output.end();

    assertThat(output.awaitEnd(Duration.ofDays(1))).isTrue();
    assertThat(output.take()).isEqualTo("x");
  }
}
