package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that were captured in one sandbox are those that a later one begins with. */
abstract class SnapshotPromises {

  private static final String TREE =
      "mkdir -p kept/deep && printf one > kept/deep/file && chmod 750 kept/deep/file"
          + " && ln -s deep/file kept/link && printf '' > kept/.empty";
  private static final String SHOW =
      "cat kept/link && stat -c %a kept/deep/file && readlink kept/link && ls -A kept";
  private static final String SHOWN = "one750\ndeep/file\n.empty\ndeep\nlink\n";

  private final Laboratory laboratory;

  SnapshotPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @BeforeEach
  void onlyWhereThereIsSuchAThing() {
    assumeTrue(laboratory.backend() instanceof Snapshotter, "this backend keeps no snapshots");
  }

  private Snapshotter snapshotter() {
    return (Snapshotter) laboratory.backend();
  }

  private static Transcript run(Sandbox sandbox, String script) throws InterruptedException {
    return Transcript.of(sandbox, Laboratory.script(sandbox.project(), script, Laboratory.PATIENCE))
        .succeeded();
  }

  @Test
  void whatWasCapturedIsWhereItIsRestored() throws InterruptedException {
    var first = laboratory.backend().acquire(laboratory.newSpec());
    run(first, TREE);
    var id = UUID.randomUUID();

    var snapshot = snapshotter().capture(first.ref(), first.project(), id);

    assertThat(snapshotter().capture(first.ref(), first.project(), id)).isEqualTo(snapshot);
    run(first, "printf two > kept/deep/file");
    laboratory.destroy(first.ref());
    for (int time = 0; time < 2; time++) {
      var fresh = laboratory.backend().acquire(laboratory.newSpec());
      var restored = snapshotter().restore(fresh.ref(), snapshot, fresh.project());
      assertThat(restored.ref()).isEqualTo(fresh.ref());
      assertThat(run(restored, SHOW).out()).isEqualTo(SHOWN);
      run(restored, "printf three > kept/deep/file && rm kept/.empty && touch new");
      laboratory.destroy(fresh.ref());
    }
    snapshotter().delete(snapshot);
  }

  @Test
  void aDeletedSnapshotIsRefusedAndTheSandboxIsStillOfUse() throws InterruptedException {
    var sandbox = laboratory.backend().acquire(laboratory.newSpec());
    run(sandbox, TREE);
    var snapshot = snapshotter().capture(sandbox.ref(), sandbox.project(), UUID.randomUUID());

    snapshotter().delete(snapshot);
    snapshotter().delete(snapshot);

    var fresh = laboratory.backend().acquire(laboratory.newSpec());
    assertThatThrownBy(() -> snapshotter().restore(fresh.ref(), snapshot, fresh.project()))
        .isInstanceOf(BackendException.Rejected.class);
    var again = laboratory.another().attach(fresh.ref());
    assertThat(run(again, "echo on").out()).isEqualTo("on\n");
    laboratory.destroy(fresh.ref());
    laboratory.destroy(sandbox.ref());
  }

  @Test
  void nothingIsCapturedOfASandboxThatIsGone() throws InterruptedException {
    var sandbox = laboratory.backend().acquire(laboratory.newSpec());
    laboratory.destroy(sandbox.ref());

    assertThatThrownBy(
            () -> snapshotter().capture(sandbox.ref(), sandbox.project(), UUID.randomUUID()))
        .isInstanceOf(BackendException.SandboxGone.class);
  }
}
