package mesh.execution.modal;

import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import mesh.execution.InstallationId;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.remote.Patience;
import mesh.simulator.modal.ModalSimulator;
import modal.client.ModalClientGrpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A vendor, and an adapter that waits for nothing. */
abstract class SimulatedModal {

  static final InstallationId INSTALLATION = new InstallationId("0123456789");
  static final MethodDescriptor<?, ?> CREATE = ModalClientGrpc.getSandboxCreateV2Method();

  final List<Duration> pauses = new CopyOnWriteArrayList<>();
  final SandboxSpec spec = spec(INSTALLATION);
  ModalSimulator vendor;
  ModalBackend backend;

  @BeforeEach
  void start() throws IOException {
    vendor = ModalSimulator.start(0);
    backend = open(vendor.url());
  }

  @AfterEach
  void stop() {
    backend.close();
    vendor.close();
  }

  static SandboxSpec spec(InstallationId installation) {
    return SandboxSpec.of(installation, UUID.randomUUID(), 1, Size.SMALL, Duration.ofHours(25));
  }

  ModalBackend open(String url) {
    return open(new Account(URI.create(url), vendor.tokenId(), vendor.tokenSecret()));
  }

  ModalBackend open(Account account) {
    return open(account, Duration.ofSeconds(5), Duration.ofSeconds(45));
  }

  ModalBackend open(Account account, Duration beat, Duration silence) {
    return open(account, beat, silence, pauses::add);
  }

  ModalBackend open(Account account, Duration beat, Duration silence, Patience.Pause pause) {
    var plan = new Plan("mesh", "", "debian", List.of(), MemorySizes.USUAL, -1);
    var clock = Clock.systemUTC();
    return ModalBackend.open(
        account,
        plan,
        new Ambience(new SecureRandom(), UUID::randomUUID, clock, pause, beat, silence));
  }

  Account account() {
    return new Account(URI.create(vendor.url()), vendor.tokenId(), vendor.tokenSecret());
  }
}
