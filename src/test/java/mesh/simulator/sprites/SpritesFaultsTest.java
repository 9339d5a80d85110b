package mesh.simulator.sprites;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import mesh.BesideOthers;
import org.junit.jupiter.api.Test;

@BesideOthers
class SpritesFaultsTest extends SimulatorTest {

  SpritesFaultsTest() throws IOException {}

  @Test
  void aFaultStrikesAsOftenAsToldAndOnlyItsKind() throws Exception {
    vendor.faults().next(2, CallKind.GET, Fault.status(500));

    var statuses = List.of(status("one"), status("one"), status("one"));

    assertThat(statuses).containsExactly(500, 500, 200);
  }

  @Test
  void theSameSeedStrikesTheSameCalls() {
    var runs = IntStream.range(0, 2).mapToObj(_ -> struck(42)).toList();

    assertThat(runs.getFirst()).isEqualTo(runs.getLast()).contains(true, false);
    assertThat(struck(43)).isNotEqualTo(runs.getFirst());
  }

  private static List<Boolean> struck(long seed) {
    var faults = new Faults();
    faults.randomly(seed, 0.5, CallKind.GET, Fault.status(500));
    return IntStream.range(0, 64).mapToObj(_ -> faults.strike(CallKind.GET).isPresent()).toList();
  }

  @Test
  void tooManyCreationsAreAnsweredAsTheVendorDoes() throws Exception {
    vendor.faults().next(CallKind.CREATE, Fault.rateLimited(Duration.ofSeconds(7)));

    var refused = client.create("two");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("7");
    assertThat(refused.body())
        .contains("sprite_creation_rate_limited", "\"retry_after_seconds\":7");
    assertThat(vendor.sprites()).containsOnlyKeys("one");
  }

  @Test
  void aLostResponseTookEffectAndADroppedConnectionDidNot() {
    vendor.faults().next(CallKind.CREATE, new Fault.LostResponse());
    assertThatThrownBy(() -> client.create("lost")).isInstanceOf(IOException.class);
    assertThat(vendor.sprites()).containsKey("lost");

    vendor.faults().next(CallKind.CREATE, new Fault.DroppedBefore());
    assertThatThrownBy(() -> client.create("dropped")).isInstanceOf(IOException.class);
    assertThat(vendor.sprites()).doesNotContainKey("dropped");
  }

  @Test
  void anEffectMayComeAfterItsError() throws Exception {
    vendor.faults().next(CallKind.CREATE, new Fault.LateEffect(Duration.ofMillis(200)));

    assertThat(client.create("late").statusCode()).isEqualTo(503);
    assertThat(vendor.sprites()).doesNotContainKey("late");

    await(() -> vendor.sprites().containsKey("late"));
  }

  @Test
  void aSlowAnswerIsAnAnswer() throws Exception {
    vendor.faults().next(CallKind.GET, Fault.slow(Duration.ofMillis(200)));
    var started = System.nanoTime();

    assertThat(status("one")).isEqualTo(200);

    assertThat(System.nanoTime() - started).isGreaterThan(MILLISECONDS.toNanos(190));
  }

  @Test
  void aStaleListLacksTheNewAndHasTheDeleted() throws Exception {
    var begin = vendor.sprites().values().iterator().next();
    vendor.clock(() -> begin.plusSeconds(60));
    client.create("new");
    client.delete("one");
    vendor.faults().next(CallKind.LIST, new Fault.StaleList(Duration.ofSeconds(30)));

    assertThat(client.get("/v1/sprites").body()).contains("\"one\"").doesNotContain("\"new\"");
    assertThat(client.get("/v1/sprites").body()).contains("\"new\"").doesNotContain("\"one\"");
  }

  @Test
  void aSlowDeleteIsAnsweredAtOnce() throws Exception {
    vendor.faults().next(CallKind.DELETE, new Fault.SlowDelete(Duration.ofMillis(300)));

    assertThat(client.delete("one").statusCode()).isEqualTo(204);
    assertThat(status("one")).isEqualTo(200);

    await(() -> vendor.sprites().isEmpty());
  }

  @Test
  void anExecIsRefusedWithAStatus() {
    vendor.faults().next(CallKind.EXEC, Fault.status(503));

    assertThatThrownBy(() -> client.run("one", "true"))
        .cause()
        .isInstanceOfSatisfying(
            Conversed.Refused.class, refusal -> assertThat(refusal.status()).isEqualTo(503));
  }

  @Test
  void anExecWhoseAnswerIsLostRanAllTheSame() throws Exception {
    vendor.faults().next(CallKind.EXEC, new Fault.LostResponse());
    assertThatThrownBy(() -> client.run("one", "touch ran")).hasCauseInstanceOf(IOException.class);

    await(() -> vendor.runningCommands() == 0);
    assertThat(client.run("one", "ls").out()).isEqualTo("ran\n");
  }

  @Test
  void aSocketMayEndWithoutAnExit() throws Exception {
    vendor.faults().next(CallKind.EXEC, new Fault.NoExit(true));
    vendor.faults().next(CallKind.EXEC, new Fault.NoExit(false));

    var closed = client.start("one", "echo hi; exit 3", "").awaitEnd();
    var dropped = client.start("one", "echo hi; exit 3", "").awaitEnd();

    assertThat(closed.out()).isEqualTo("hi\n");
    assertThat(closed.exit()).isEmpty();
    assertThat(closed.closeCode()).hasValue(1000);
    assertThat(dropped.exit()).isEmpty();
    assertThat(dropped.closeCode()).isNotEqualTo(closed.closeCode());
  }

  @Test
  void theExitMayComeInTextAlone() throws Exception {
    vendor.faults().next(CallKind.EXEC, new Fault.TextExitOnly());

    var said = client.start("one", "exit 3", "").awaitEnd();

    assertThat(said.exit()).isEmpty();
    assertThat(said.text("\"exit_code\":3")).isPresent();
  }

  @Test
  void theExitMayLackItsCode() throws Exception {
    vendor.faults().next(CallKind.EXEC, new Fault.ExitWithoutCode());

    assertThat(client.run("one", "exit 3").exit()).isEmpty();
  }

  @Test
  void aFastExitReplaysTheLast65536BytesOnOneChannel() throws Exception {
    vendor.faults().next(2, CallKind.EXEC, new Fault.FastExit());

    var small = client.run("one", "echo out; echo err >&2; exit 3");
    var large = client.run("one", "head -c 100000 /dev/zero | tr '\\0' x; printf end");

    assertThat(small.out()).contains("out\n", "err\n");
    assertThat(small.err()).isEmpty();
    assertThat(small.code()).isEqualTo(3);
    assertThat(small.text("fast_path history_len=8")).isPresent();
    assertThat(large.out()).hasSize(65536).endsWith("xend");
    assertThat(large.text("fast_path history_len=65536")).isPresent();
  }

  @Test
  void aConnectionMayBreakInTheMiddleOfOutput() throws Exception {
    vendor.faults().next(CallKind.EXEC, new Fault.CutAfter(10));

    var cut = client.start("one", "printf 0123456789abcdef", "").awaitEnd();

    assertThat("0123456789").startsWith(cut.out());
    assertThat(cut.exit()).isEmpty();
  }

  @Test
  void aSilentSocketSaysNothing() throws Exception {
    vendor.faults().next(CallKind.EXEC, new Fault.Silent());

    var silent = client.start("one", "touch ran", "");
    await(() -> vendor.runningCommands() == 0);

    assertThat(silent.texts()).isEmpty();
    assertThat(silent.hasEnded()).isFalse();
    assertThat(client.run("one", "ls").out()).isEqualTo("ran\n");
  }

  private int status(String sprite) throws IOException, InterruptedException {
    return client.get("/v1/sprites/" + sprite).statusCode();
  }
}
