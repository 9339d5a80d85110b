package mesh.execution.sprites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mesh.execution.BackendException;
import mesh.execution.Capabilities;
import mesh.execution.Capability;
import mesh.execution.Command;
import mesh.execution.EgressPolicy;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.catalog.BackendConfig;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.RecordedCall;
import mesh.simulator.sprites.SpritesSimulator;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** EXE-16: the vendor's own network policy, where an operator turned it on. */
class SpritesPolicyTest {

  private static final EgressPolicy POLICY =
      new EgressPolicy(Set.of("*.example.org", "example.com"));

  private final SandboxSpec spec =
      SandboxSpec.of(
          new InstallationId("0123456789"), UUID.randomUUID(), 1, Size.SMALL, Duration.ofHours(1));
  private SpritesSimulator vendor;
  private RestrictingSpritesBackend backend;

  @BeforeEach
  void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    backend =
        new RestrictingSpritesBackend(
            new Account(HttpUrl.get(vendor.baseUrl()), vendor.token()),
            new SecureRandom(),
            _ -> {},
            SpritesBackends.MARGIN);
  }

  @AfterEach
  void stop() {
    backend.close();
    vendor.close();
  }

  @Test
  void onlyTheSwitchMakesItACapability() {
    var provider = new SpritesBackendProvider(new SecureRandom(), SpritesBackends.MARGIN);
    var off = new BackendConfig(Map.of());
    var on = new BackendConfig(Map.of("restrict_network", "true"));

    assertThat(Capabilities.of(provider.typeFor(off)).has(Capability.EGRESS_CONTROL)).isFalse();
    assertThat(Capabilities.of(provider.typeFor(on)).has(Capability.EGRESS_CONTROL)).isTrue();
    assertThat(provider.descriptor().field("restrict_network")).isPresent();
  }

  @Test
  void thePolicyIsSetAndReadBackBeforeTheFirstCommand() throws InterruptedException {
    var sandbox = backend.acquire(spec, POLICY);

    assertThat(vendor.calls().stream().map(RecordedCall::kind).distinct())
        .containsSubsequence(
            CallKind.CREATE, CallKind.POLICY_WRITE, CallKind.POLICY_READ, CallKind.EXEC);
    assertThat(vendor.policy(spec.key().value()))
        .containsExactly(
            Map.of("domain", "*.example.org", "action", "allow"),
            Map.of("domain", "example.com", "action", "allow"),
            Map.of("domain", "*", "action", "deny"));
    var echo = Command.of(List.of("true"), sandbox.project(), Duration.ofSeconds(20));
    assertThat(sandbox.exec(echo, (_, _) -> {})).isEqualTo(new Outcome.Exited(0, 0));
  }

  /** An empty list of rules would let everything through. */
  @Test
  void aListThatAllowsNothingStillDenies() throws InterruptedException {
    backend.acquire(spec, new EgressPolicy(Set.of()));

    assertThat(vendor.policy(spec.key().value()))
        .containsExactly(Map.of("domain", "*", "action", "deny"));
  }

  @Test
  void whoNeedsNoPolicySetsNone() throws InterruptedException {
    backend.acquire(spec);

    assertThat(vendor.calls(CallKind.POLICY_WRITE)).isEmpty();
  }

  @Test
  void aPolicyThatIsRefusedLeavesNoSprite() {
    vendor.faults().always(CallKind.POLICY_WRITE, Fault.status(400));

    assertThatThrownBy(() -> backend.acquire(spec, POLICY))
        .isInstanceOf(BackendException.Rejected.class);
    assertThat(vendor.sprites()).isEmpty();
    assertThat(vendor.calls(CallKind.EXEC)).isEmpty();
  }

  /** EXE-14a: what the vendor says it did is not believed. */
  @Test
  void aPolicyThatIsNotKeptLeavesNoSprite() {
    vendor.faults().always(CallKind.POLICY_READ, new Fault.Answer(200, Map.of(), "{\"rules\":[]}"));

    assertThatThrownBy(() -> backend.acquire(spec, POLICY))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContaining("did not keep it");
    assertThat(vendor.sprites()).isEmpty();
    assertThat(vendor.calls(CallKind.EXEC)).isEmpty();
  }

  @Test
  void troubleThatPassesIsWaitedFor() throws InterruptedException {
    vendor.faults().next(2, CallKind.POLICY_WRITE, Fault.status(503));
    vendor.faults().next(1, CallKind.POLICY_READ, Fault.status(500));

    backend.acquire(spec, POLICY);

    assertThat(vendor.sprites()).hasSize(1);
  }
}
