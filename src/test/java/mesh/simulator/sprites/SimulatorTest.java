package mesh.simulator.sprites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A simulator and a client for each test, with one sprite named {@code one}. */
abstract class SimulatorTest {

  protected SpritesSimulator vendor;
  protected ProtocolClient client;

  SimulatorTest() throws IOException {
    vendor = SpritesSimulator.start(0);
    client = new ProtocolClient(vendor);
  }

  @BeforeAll
  static void namespacesArePossible() {
    Suites.require(
        "the Sprites simulator",
        Namespace.isPossible(),
        "unshare is not permitted on this machine");
  }

  @BeforeEach
  void createOne() throws Exception {
    vendor.lingerAfterExit(Duration.ofMillis(100));
    assertThat(client.create("one").statusCode()).isEqualTo(201);
  }

  @AfterEach
  void stop() {
    client.close();
    vendor.close();
  }

  static void await(BooleanSupplier condition) {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition came true in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
