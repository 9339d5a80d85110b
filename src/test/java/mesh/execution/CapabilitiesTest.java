package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {

  @Test
  void aBackendHasExactlyTheCapabilitiesItsTypeHas() {
    assertThat(Capabilities.of(new Restricting()).present())
        .containsExactly(Capability.EGRESS_CONTROL);
  }

  private abstract static class Bare implements Backend {
    @Override
    public Sandbox acquire(SandboxSpec spec) {
      throw new BackendException.SandboxGone("none");
    }

    @Override
    public Sandbox attach(ExternalRef ref) {
      throw new BackendException.SandboxGone("none");
    }

    @Override
    public Release release(ExternalRef ref) {
      return Release.DESTROYED;
    }

    @Override
    public Inventory list(InstallationId installation) {
      return new Inventory(List.of(), 0, 0);
    }

    @Override
    public void close() {}
  }

  @EgressGrade(value = EgressControl.Grade.DNS, staysOpen = "Everything by address.")
  private static final class Restricting extends Bare implements EgressControl {
    @Override
    public Sandbox acquire(SandboxSpec spec, EgressPolicy policy) {
      return acquire(spec);
    }
  }
}
