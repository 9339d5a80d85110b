package mesh.execution.modal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import mesh.execution.BackendException;
import mesh.execution.EgressPolicy;
import mesh.execution.SnapshotRef;
import mesh.execution.remote.Patience;
import mesh.simulator.modal.Fault;
import modal.client.ModalClientGrpc;
import modal.client.NetworkAccess.NetworkAccessType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the adapter makes of a vendor that fails, as far as the life of sandboxes goes. */
class ModalFaultsTest extends SimulatedModal {

  @Nested
  class WhileASandboxIsMade {

    @ParameterizedTest
    @EnumSource(
        value = Status.Code.class,
        names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN", "CANCELLED"})
    void anErrorOfTheVendorsIsTriedAgain(Status.Code code) throws InterruptedException {
      vendor.faults().next(2, CREATE, new Fault.Refuse(code.toStatus()));

      backend.acquire(spec);

      assertThat(vendor.created()).hasSize(1);
      assertThat(pauses).hasSize(2);
      assertThat(pauses.get(1)).isGreaterThan(pauses.get(0));
    }

    @Test
    void itIsNotTriedForEver() {
      vendor.faults().always(CREATE, Fault.unavailable());

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Unavailable.class)
          .hasMessageContaining("UNAVAILABLE")
          .hasMessageContaining("simulated");
      assertThat(vendor.calls(CREATE)).hasSize(Patience.ATTEMPTS);
    }

    /** case 35 */
    @Test
    void anAnswerThatWasLostLeavesOneSandbox() throws InterruptedException {
      vendor.faults().next(CREATE, new Fault.LostAnswer(Status.UNAVAILABLE));

      var sandbox = backend.acquire(spec);

      assertThat(vendor.created()).hasSize(1);
      assertThat(vendor.liveSandboxes()).containsExactly(sandbox.ref().reveal());
      assertThat(vendor.calls(CREATE)).hasSize(1);
    }

    /** case 35: whatever else fails on the way. */
    @Test
    void howeverOftenItFailedThereIsOneSandbox() throws InterruptedException {
      var lookup = ModalClientGrpc.getSandboxGetFromNameV2Method();
      vendor.faults().next(CREATE, new Fault.LostAnswer(Status.UNAVAILABLE));
      vendor.faults().next(lookup, Fault.unavailable());
      vendor.faults().next(CREATE, Fault.unavailable());
      vendor.faults().next(lookup, Fault.unavailable());

      var sandbox = backend.acquire(spec);

      assertThat(vendor.created()).hasSize(1);
      assertThat(vendor.liveSandboxes()).containsExactly(sandbox.ref().reveal());
    }

    @Test
    void oneThatIsMadeLateIsNotASecond() throws InterruptedException {
      vendor
          .faults()
          .next(CREATE, new Fault.LateEffect(Status.UNAVAILABLE, Duration.ofMillis(300)));

      var sandbox = backend.acquire(spec);

      assertThat(backend.acquire(spec).ref()).isEqualTo(sandbox.ref());
      assertThat(vendor.created()).hasSize(1);
    }

    @Test
    void theNameOfAFinishedOneIsFree() throws InterruptedException {
      var first = backend.acquire(spec);
      vendor.preempt(first.ref().reveal());

      var second = backend.acquire(spec);

      assertThat(second.ref()).isNotEqualTo(first.ref());
      assertThat(vendor.liveSandboxes()).containsExactly(second.ref().reveal());
    }

    @Test
    void aShortThrottleIsWaitedOut() throws InterruptedException {
      vendor.faults().next(2, CREATE, new Fault.Throttle(Duration.ofSeconds(2)));

      backend.acquire(spec);

      assertThat(pauses)
          .hasSize(2)
          .allSatisfy(it -> assertThat(it).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3)));
    }

    @Test
    void aLongThrottleIsTheCallersToWaitFor() {
      vendor.faults().always(CREATE, new Fault.Throttle(Duration.ofSeconds(40)));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOfSatisfying(
              BackendException.Unavailable.class,
              it -> assertThat(it.retryAfter()).isEqualTo(Duration.ofSeconds(40)));
      assertThat(pauses).isEmpty();
      assertThat(vendor.calls(CREATE)).hasSize(1);
    }

    @Test
    void aQuotaIsTheOperators() {
      var full = Status.RESOURCE_EXHAUSTED.withDescription("30 of 30 containers run");
      vendor.faults().next(CREATE, new Fault.Refuse(full));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("30 of 30");
    }

    @Test
    void anImageThatCannotBeBuiltIsSaidSo() {
      vendor.unavailableImage("debian", "no such tag: debian");

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("could not build the image debian")
          .hasMessageContaining("no such tag");
      assertThat(vendor.created()).isEmpty();
    }

    @Test
    void whatItIsMadeOfIsAskedForOnce() throws InterruptedException {
      backend.acquire(spec);
      backend.acquire(spec(INSTALLATION));

      assertThat(vendor.calls(ModalClientGrpc.getAuthTokenGetMethod())).hasSize(1);
      assertThat(vendor.calls(ModalClientGrpc.getAppGetOrCreateMethod())).hasSize(1);
      assertThat(vendor.calls(ModalClientGrpc.getImageGetOrCreateMethod())).hasSize(1);
    }

    @Test
    void anImageThatWasDeletedIsBuiltAgain() throws InterruptedException {
      backend.acquire(spec);
      backend.delete(SnapshotRef.of(vendor.created().getFirst().definition().getImageId()));

      backend.acquire(spec(INSTALLATION));

      assertThat(vendor.liveSandboxes()).hasSize(2);
    }
  }

  @Nested
  class ItsRequest {

    /** case 82 */
    @Test
    void isOpenUnlessThereIsAPolicy() throws InterruptedException {
      backend.acquire(spec);
      backend.acquire(spec(INSTALLATION), new EgressPolicy(Set.of("github.com", "*.example.org")));
      backend.acquire(spec(INSTALLATION), new EgressPolicy(Set.of()));

      System.out.printf(
          "Modal received, open:%n%s%nrestricted:%n%s%n",
          vendor.created().get(0).definition(), vendor.created().get(1).definition());
      var asked = vendor.created().stream().map(it -> it.definition().getNetworkAccess()).toList();
      assertThat(asked.get(0).getNetworkAccessType()).isEqualTo(NetworkAccessType.OPEN);
      assertThat(asked.get(0).getAllowedDomainsList()).isEmpty();
      assertThat(asked.get(1).getNetworkAccessType()).isEqualTo(NetworkAccessType.ALLOWLIST);
      assertThat(asked.get(1).getAllowedDomainsList())
          .containsExactly("*.example.org", "github.com");
      assertThat(asked.get(2).getNetworkAccessType()).isEqualTo(NetworkAccessType.ALLOWLIST);
      assertThat(asked.get(2).getAllowedDomainsList()).isEmpty();
      assertThat(asked).allSatisfy(it -> assertThat(it.getAllowedCidrsList()).isEmpty());
    }

    @Test
    void namesItAndBoundsItsLife() throws InterruptedException {
      backend.acquire(spec);

      var made = vendor.created().getFirst();
      assertThat(made.definition().getName()).isEqualTo(spec.key().value());
      assertThat(made.tags())
          .isEqualTo(
              Map.of(
                  "mesh-installation", INSTALLATION.value(),
                  "mesh-workspace", spec.workspace().toString(),
                  "mesh-generation", "1"));
      assertThat(made.definition().getTimeoutSecs()).isEqualTo(24 * 60 * 60);
      assertThat(made.definition().hasIdleTimeoutSecs()).isFalse();
      assertThat(made.definition().getResources().getMemoryMb()).isEqualTo(1024);
      assertThat(made.definition().getResources().getMemoryMbMax()).isEqualTo(1024);
    }

    @Test
    void isNotMadeWithMoreDomainsThanTheVendorTakes() {
      var domains = IntStream.rangeClosed(1, 101).mapToObj("d%d.example.org"::formatted).toList();

      assertThatThrownBy(() -> backend.acquire(spec, new EgressPolicy(Set.copyOf(domains))))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("100");
      assertThat(vendor.calls()).isEmpty();
    }
  }

  @Nested
  class WhenTheTokenIsWrong {

    @Test
    void everyCallIsRejectedWithoutNamingIt() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      var other = new Account(URI.create(vendor.url()), vendor.tokenId(), "as-other-secret");
      try (var wrong = open(other)) {
        assertRejected(() -> wrong.acquire(spec));
        assertRejected(() -> wrong.attach(ref));
        assertRejected(() -> wrong.release(ref));
        assertRejected(() -> wrong.list(INSTALLATION));
        assertRejected(() -> wrong.delete(SnapshotRef.of("im-1")));
      }
      assertThat(other.toString()).doesNotContain("other-secret");
    }

    @Test
    void whatTheVendorEchoesIsCutOut() {
      var jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjbGllbnQifQ.c2lnbmF0dXJl";
      var words = "no: " + vendor.tokenSecret() + "\n with " + jwt;
      vendor
          .faults()
          .next(CREATE, new Fault.Refuse(Status.PERMISSION_DENIED.withDescription(words)));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("no: [secret] with [secret]")
          .hasNoCause();
    }

    private static void assertRejected(ThrowingCallable call) {
      assertThatThrownBy(call)
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("UNAUTHENTICATED")
          .hasMessageNotContaining("other-secret")
          .hasNoCause();
    }
  }

  @Nested
  class TheTokenForCalls {

    @Test
    void isFetchedAgainWhenTheVendorDoesNotTakeIt() throws InterruptedException {
      backend.acquire(spec);
      // A day later by the vendor's clock: ours has not noticed.
      vendor.clock(Clock.offset(Clock.systemUTC(), Duration.ofDays(1)));

      assertThat(backend.list(INSTALLATION).entries()).hasSize(1);

      assertThat(vendor.calls(ModalClientGrpc.getAuthTokenGetMethod())).hasSize(2);
    }

    @Test
    void isFetchedByOneForAll() throws InterruptedException {
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int caller = 0; caller < 8; caller++) {
          threads.submit(() -> backend.list(INSTALLATION));
        }
      }

      assertThat(vendor.calls(ModalClientGrpc.getAuthTokenGetMethod())).hasSize(1);
    }
  }

  @Test
  void aVendorThatIsNotThereIsUnavailable() throws IOException {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    try (var nowhere = open("http://127.0.0.1:" + free)) {
      assertThatThrownBy(() -> nowhere.acquire(spec))
          .isInstanceOf(BackendException.Unavailable.class)
          .hasMessageContaining("could not be reached");
      assertThatThrownBy(() -> nowhere.list(INSTALLATION))
          .isInstanceOf(BackendException.Unavailable.class);
    }
    assertThat(pauses).hasSize(2 * (Patience.ATTEMPTS - 1));
  }

  @Test
  void anAddressInPlaintextIsOfThisMachine() {
    for (var good :
        List.of(
            "https://api.modal.com:443", "https://x.org/", "http://127.0.0.1:1", "http://[::1]")) {
      assertThat(Account.address(good)).as(good).isPresent();
    }
    for (var bad :
        List.of(
            "http://x.org",
            "x.org",
            "ftp://x.org",
            "https://",
            "https://u:p@x.org",
            "https://x/y",
            "::")) {
      assertThat(Account.address(bad)).as(bad).isEmpty();
    }
  }
}
