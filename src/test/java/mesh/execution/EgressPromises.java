package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sandbox under a policy is a sandbox like any other, and says how well the policy holds. */
abstract class EgressPromises {

  private static final EgressPolicy POLICY =
      new EgressPolicy(Set.of("example.com", "*.example.org"));

  private final Laboratory laboratory;

  EgressPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @BeforeEach
  void onlyWhereThereIsSuchAThing() {
    assumeTrue(
        laboratory.backend() instanceof EgressControl, "this backend does not control egress");
  }

  private EgressControl control() {
    return (EgressControl) laboratory.backend();
  }

  @Test
  void aSandboxUnderAPolicyWorksAndIsMadeOnce() throws InterruptedException {
    var spec = laboratory.newSpec();

    var sandbox = control().acquire(spec, POLICY);

    var again = ((EgressControl) laboratory.another()).acquire(spec, POLICY);
    assertThat(again.ref()).isEqualTo(sandbox.ref());
    var command = Laboratory.script(sandbox.project(), "echo hi", Laboratory.PATIENCE);
    assertThat(Transcript.of(again, command).succeeded().out()).isEqualTo("hi\n");
    laboratory.destroy(sandbox.ref());
  }

  /** A list that allows nothing is a list all the same. */
  @Test
  void anEmptyListIsAPolicyToo() throws InterruptedException {
    var sandbox = control().acquire(laboratory.newSpec(), new EgressPolicy(Set.of()));

    var command = Laboratory.script(sandbox.project(), "echo hi", Laboratory.PATIENCE);
    assertThat(Transcript.of(sandbox, command).succeeded().out()).isEqualTo("hi\n");
    laboratory.destroy(sandbox.ref());
  }

  @Test
  void whatStaysOpenIsSaid() {
    var grade = laboratory.backend().getClass().getAnnotation(EgressGrade.class);

    assertThat(grade.staysOpen()).endsWith(".").hasSizeGreaterThan(20);
  }
}
