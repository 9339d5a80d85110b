package mesh.simulator.modal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A simulator and a client for each test. */
abstract class SimulatorTest {

  protected final ModalSimulator vendor;
  protected final ProtocolClient client;

  SimulatorTest() throws IOException {
    vendor = ModalSimulator.start(0);
    client = new ProtocolClient(vendor);
  }

  @BeforeAll
  static void namespacesArePossible() {
    Suites.require(
        "the Modal simulator", Namespace.isPossible(), "unshare is not permitted on this machine");
  }

  @AfterEach
  void stop() {
    client.close();
    vendor.close();
  }

  static void assertFails(Status.Code code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).as(e.toString()).isEqualTo(code));
  }

  static void await(BooleanSupplier condition) {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition came true in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
