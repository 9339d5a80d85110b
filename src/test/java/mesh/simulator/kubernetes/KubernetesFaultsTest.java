package mesh.simulator.kubernetes;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KubernetesFaultsTest extends ClusterTest {

  private static final String PODS = "/api/v1/namespaces/default/pods";

  KubernetesFaultsTest() throws IOException {}

  private static String json(String name) {
    return Json.write(
        Map.of(
            "metadata",
            Map.of("name", name),
            "spec",
            Map.of(
                "restartPolicy",
                "Never",
                "containers",
                new Object[] {Map.of("name", "main", "image", "debian")})));
  }

  @Test
  void anAnswerMayBeLostAfterThePodWasCreated() {
    cluster.faults().next(CallKind.CREATE_POD, new Fault.LostResponse());

    assertThatThrownBy(() -> Plain.send(cluster, "POST", PODS, json("one")))
        .isInstanceOf(UncheckedIOException.class);

    assertThat(cluster.pods()).containsExactly("default/one");
    assertThat(Plain.send(cluster, "POST", PODS, json("one")).statusCode()).isEqualTo(409);
  }

  @Test
  void anErrorMayComeBeforeTheWorkOrAfterIt() {
    cluster.faults().next(CallKind.CREATE_POD, Fault.status(500));
    cluster.faults().next(CallKind.CREATE_POD, Fault.rateLimited(Duration.ofSeconds(3)));
    cluster.faults().next(CallKind.CREATE_POD, new Fault.AnswerAfter(Fault.status(503)));

    var first = Plain.send(cluster, "POST", PODS, json("one"));
    var second = Plain.send(cluster, "POST", PODS, json("one"));
    var before = cluster.pods();
    var third = Plain.send(cluster, "POST", PODS, json("one"));

    assertThat(first.statusCode()).isEqualTo(500);
    assertThat(first.body()).contains("\"kind\":\"Status\"", "\"InternalError\"");
    assertThat(second.statusCode()).isEqualTo(429);
    assertThat(second.headers().firstValue("Retry-After")).hasValue("3");
    assertThat(before).isEmpty();
    assertThat(third.statusCode()).isEqualTo(503);
    assertThat(cluster.pods()).containsExactly("default/one");
  }

  @Test
  void aWatchMayEndEarlyOrSayThatItsVersionIsTooOld() {
    cluster.faults().next(CallKind.WATCH_PODS, new Fault.WatchCut(1));
    cluster.faults().next(CallKind.WATCH_PODS, new Fault.WatchExpired());
    Plain.send(cluster, "POST", PODS, json("one"));
    Plain.send(cluster, "POST", PODS, json("two"));

    var first = Plain.send(cluster, "GET", PODS + "?watch=true", "").body();
    var second = Plain.send(cluster, "GET", PODS + "?watch=true", "").body();

    assertThat(first.lines()).hasSize(1);
    assertThat(second.lines()).hasSize(1);
    assertThat(second).contains("\"code\":410");
  }

  @Nested
  class OfACommand {

    private Conversed say(Fault fault, String script)
        throws ExecutionException, InterruptedException {
      run(pod("one").build());
      cluster.faults().next(CallKind.EXEC, fault);
      return exec.start("v5.channel.k8s.io", "one", "sh", "-c", script);
    }

    @Test
    void theStatusMayBeMissing() throws Exception {
      var said = say(new Fault.NoStatus(true), "echo hi").awaitEnd();

      assertThat(said.out()).isEqualTo("hi\n");
      assertThat(said.hasStatus()).isFalse();
      assertThat(said.closeCode()).hasValue(1000);
    }

    @Test
    void theLastBytesMayBeMissingAllTheSame() throws Exception {
      var said = say(new Fault.LostTail(4), "seq 1 10000").awaitEnd();

      assertThat(said.outBytes()).isEqualTo(48_894 - 4);
      assertThat(said.code()).isZero();
    }

    @Test
    void theStatusMayBeLate() throws Exception {
      var started = System.nanoTime();

      var said = say(new Fault.LateStatus(Duration.ofMillis(400)), "true").awaitEnd();

      assertThat(said.code()).isZero();
      assertThat(System.nanoTime() - started).isGreaterThan(MILLISECONDS.toNanos(400));
    }

    @Test
    void theConnectionMayBreakWhileTheCommandRunsOn() throws Exception {
      var said =
          say(new Fault.CutAfter(100_000), "head -c 200000 /dev/zero; touch /tmp/done").awaitEnd();

      assertThat(said.outBytes()).isEqualTo(100_000);
      assertThat(said.hasStatus()).isFalse();
      var wait = "while [ ! -e /tmp/done ]; do sleep 0.05; done";
      assertThat(exec.run("one", wait).code()).isZero();
    }

    @Test
    void theConnectionMayBeHalfOpen() throws Exception {
      var said = say(new Fault.HalfOpen(), "echo hi > /tmp/hi");

      exec.run("one", "while [ ! -e /tmp/hi ]; do sleep 0.05; done");

      assertThat(said.empty()).isEmpty();
      assertThat(said.hasEnded()).isFalse();
    }

    @Test
    void aQuietConnectionMayBeCut() throws Exception {
      var said = say(new Fault.IdleCut(Duration.ofMillis(500)), "echo hi; sleep 60").awaitEnd();

      assertThat(said.out()).isEqualTo("hi\n");
      assertThat(said.hasStatus()).isFalse();
      assertThat(said.closeCode()).isEmpty();
    }

    @Test
    void theNodeMayNotKnowTheContainerYet() {
      assertThatThrownBy(() -> say(new Fault.ContainerNotFound(), "true"))
          .cause()
          .isInstanceOfSatisfying(
              Conversed.Refused.class,
              refusal -> {
                assertThat(refusal.status()).isEqualTo(500);
                assertThat(refusal.getMessage()).contains("container not found");
              });
    }

    @Test
    void aClientThatDoesNotReadHoldsTheCommandUp() throws Exception {
      run(pod("one").build());
      var script = "head -c 300000000 /dev/zero; touch /tmp/done";

      try (var slow = SlowReader.open(cluster, "one", script)) {
        slow.read(1000);
        var wait = "sleep 1; [ -e /tmp/done ]";
        assertThat(exec.run("one", wait).code()).isEqualTo(1);
      }

      // Once the client has gone the rest is thrown away.
      var wait = "while [ ! -e /tmp/done ]; do sleep 0.05; done";
      assertThat(exec.run("one", wait).code()).isZero();
    }
  }
}
