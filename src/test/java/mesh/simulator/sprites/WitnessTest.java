package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class WitnessTest extends SimulatorTest {

  WitnessTest() throws IOException {}

  @Test
  void aWitnessSeesTheWholeLifeOfASpriteInOrder() throws Exception {
    var seen = new CopyOnWriteArrayList<String>();
    vendor.witness(new Noting(seen));

    client.create("two");
    client.create("two");
    var command = client.start("two", "cat", "&stdin=true");
    command.sayInput("hello");
    command.sayEndOfInput();
    command.awaitExit();
    client.start("two", "sleep 60", "");
    client.delete("two");
    client.delete("two");

    assertThat(seen)
        .containsSubsequence(
            "two created",
            "two woke",
            "two began",
            "two heard hello",
            "two ended",
            "two began",
            "two slept",
            "two destroyed")
        .containsOnlyOnce("two created", "two woke", "two slept", "two destroyed");
  }

  /** Ids and times aside. */
  private record Noting(List<String> seen) implements Witness {

    @Override
    public void created(String sprite) {
      seen.add(sprite + " created");
    }

    @Override
    public void woke(String sprite) {
      seen.add(sprite + " woke");
    }

    @Override
    public void slept(String sprite) {
      seen.add(sprite + " slept");
    }

    @Override
    public void destroyed(String sprite) {
      seen.add(sprite + " destroyed");
    }

    @Override
    public void began(String sprite, String session) {
      seen.add(sprite + " began");
    }

    @Override
    public void ended(String sprite, String session) {
      seen.add(sprite + " ended");
    }

    @Override
    public void heard(String sprite, String session, byte[] input) {
      seen.add(sprite + " heard " + new String(input, UTF_8));
    }
  }
}
