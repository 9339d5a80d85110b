package mesh.execution.modal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.UUID;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.execution.Release;
import mesh.simulator.modal.Fault;
import modal.client.ModalClientGrpc;
import modal.router.TaskCommandRouterGrpc;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the adapter makes of a vendor that fails when something is ended, counted or kept. */
class ModalEndFaultsTest extends SimulatedModal {

  @Nested
  class WhileASandboxIsReleased {

    private final MethodDescriptor<?, ?> terminate = ModalClientGrpc.getSandboxTerminateV2Method();

    /** case 87: one that is just starting or ending may be in the way of its own end. */
    @ParameterizedTest
    @ValueSource(strings = {"FAILED_PRECONDITION", "ABORTED", "UNAVAILABLE", "NOT_FOUND"})
    void aVendorThatDoesNotDoItAtOnceIsAskedAgain(String code) throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().next(terminate, new Fault.Refuse(Status.Code.valueOf(code).toStatus()));
      var look = ModalClientGrpc.getSandboxWaitV2Method();
      // A look that succeeds would wait for the end.
      vendor.faults().next(look, Fault.unavailable());

      assertThat(backend.release(ref)).isEqualTo(Release.DESTROYED);

      assertThat(vendor.liveSandboxes()).isEmpty();
    }

    @Test
    void anAnswerThatWasLostIsNoHarm() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().next(terminate, new Fault.LostAnswer(Status.UNAVAILABLE));

      assertThat(backend.release(ref)).isEqualTo(Release.DESTROYED);
      assertThat(backend.release(ref)).isEqualTo(Release.DESTROYED);
      assertThat(backend.release(ExternalRef.of("sb-01ARZ3NDEKTSV4RRFFQ69G5FAV")))
          .isEqualTo(Release.DESTROYED);
    }

    @Test
    void aLateDeletionDoesNotHitTheNextOfItsName() throws InterruptedException {
      var first = backend.acquire(spec);
      vendor.preempt(first.ref().reveal());
      var second = backend.acquire(spec);

      backend.release(first.ref());

      assertThat(vendor.liveSandboxes()).containsExactly(second.ref().reveal());
    }
  }

  @Nested
  class ItsList {

    @Test
    void isReadToItsEnd() throws InterruptedException {
      vendor.pageSize(2);
      for (int n = 0; n < 5; n++) {
        backend.acquire(spec(INSTALLATION));
      }
      backend.acquire(spec(new InstallationId("another123")));

      var inventory = backend.list(INSTALLATION);

      assertThat(inventory.entries()).hasSize(5);
      assertThat(inventory.entries()).extracting(InventoryEntry::ref).doesNotHaveDuplicates();
      assertThat(inventory.others()).isEqualTo(1);
      assertThat(inventory.unmarked()).isZero();
    }

    @Test
    void isNotHalfAList() throws InterruptedException {
      vendor.pageSize(1);
      backend.acquire(spec);
      backend.acquire(spec(INSTALLATION));
      var list = ModalClientGrpc.getSandboxListV2Method();
      vendor.faults().after(1, list, Fault.unavailable());
      assertThat(backend.list(INSTALLATION).entries()).hasSize(2);

      vendor.faults().always(list, Fault.unavailable());

      assertThatThrownBy(() -> backend.list(INSTALLATION))
          .isInstanceOf(BackendException.Unavailable.class);
    }

    /** case 89: what each sandbox is said to be by its own id is not the list's to say. */
    @Test
    void lagsAndDecidesNothing() throws InterruptedException {
      var old = backend.acquire(spec).ref();
      vendor.listLag(Duration.ofMinutes(1));

      assertThat(backend.list(INSTALLATION).entries()).isEmpty();
      assertThat(backend.attach(old).ref()).isEqualTo(old);
      assertThat(backend.acquire(spec).ref()).isEqualTo(old);
      backend.release(old);
      assertThatThrownBy(() -> backend.attach(old))
          .isInstanceOf(BackendException.SandboxGone.class);
    }
  }

  @Nested
  class Snapshots {

    @Test
    void areTakenOnceThoughAnAnswerWasLost() throws InterruptedException {
      var sandbox = backend.acquire(spec);
      var id = UUID.randomUUID();
      vendor
          .faults()
          .next(
              TaskCommandRouterGrpc.getTaskSnapshotDirectoryMethod(),
              new Fault.LostAnswer(Status.UNAVAILABLE));

      var snapshot = backend.capture(sandbox.ref(), sandbox.project(), id);

      assertThat(backend.capture(sandbox.ref(), sandbox.project(), id)).isEqualTo(snapshot);
      backend.delete(snapshot);
    }

    @Test
    void aSandboxThatEndedMeanwhileIsGone() throws InterruptedException {
      var sandbox = backend.acquire(spec);
      var snapshot = backend.capture(sandbox.ref(), sandbox.project(), UUID.randomUUID());
      vendor.preempt(sandbox.ref().reveal());

      assertThatThrownBy(() -> backend.restore(sandbox.ref(), snapshot, sandbox.project()))
          .isInstanceOf(BackendException.SandboxGone.class);
    }
  }
}
