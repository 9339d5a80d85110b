package mesh.simulator.sprites;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpritesExecTest extends SimulatorTest {

  SpritesExecTest() throws IOException {}

  @ParameterizedTest
  @CsvSource({
    "exit 0, 0",
    "exit 7, 7",
    "exit 255, 255",
    "kill -9 $$, 137",
    "kill -15 $$, 143",
    "kill -2 $$, 130",
    "kill -13 $$, 141",
    "exec nosuchcmd, 127"
  })
  void theExitCodeIsTheCommandsOwn(String script, int code) throws Exception {
    assertThat(client.run("one", script).code()).isEqualTo(code);
  }

  @Test
  void aProgramThatIsNotThereIs127WithAText() throws Exception {
    var missing = client.open("/v1/sprites/one/exec?cmd=nosuchcmd&path=nosuchcmd").awaitExit();

    assertThat(missing.code()).isEqualTo(127);
    assertThat(missing.err()).contains("nosuchcmd");
    assertThat(missing.out()).isEmpty();
  }

  @Test
  void aDirectoryThatIsNotThereIsAFailureWithAText() throws Exception {
    var elsewhere = client.start("one", "true", "&dir=/nowhere").awaitExit();

    assertThat(elsewhere.code()).isNotZero();
    assertThat(elsewhere.err()).contains("/nowhere");
  }

  @Test
  void framesComeInTheOrderTheLiveServiceSendsThem() throws Exception {
    var said = client.run("one", "echo out; echo err >&2; exit 3");

    assertThat(said.out()).isEqualTo("out\n");
    assertThat(said.err()).isEqualTo("err\n");
    assertThat(said.texts().getFirst()).contains("session_created");
    assertThat(said.texts().get(1)).contains("session_info", said.session());
    assertThat(said.texts().getLast()).contains("\"exit_code\":3");
  }

  @Test
  void argumentsAreNotParsedAgain() throws Exception {
    var words =
        "cmd=printf&cmd=%5B%25s%5D&cmd=a+b&cmd=a%20b&cmd=&cmd=%24HOME&cmd=%60id%60&cmd=%C3%A9";

    var said = client.open("/v1/sprites/one/exec?" + words).awaitExit();

    assertThat(said.out()).isEqualTo("[a b][a b][][$HOME][`id`][é]");
  }

  @Test
  void theEnvironmentIsMinimalAndReplacedByWhatIsGiven() throws Exception {
    assertThat(client.run("one", "pwd; env | sort").out().lines())
        .contains("/home/sprite", "HOME=/home/sprite", "USER=sprite", "LANG=C.UTF-8")
        .noneMatch(line -> line.startsWith("JAVA") || line.startsWith("MAVEN"));
    assertThat(client.start("one", "/usr/bin/env", "&env=A%3Db+c").awaitExit().out().lines())
        .contains("A=b c", "HOME=/home/sprite")
        .noneMatch(line -> line.startsWith("USER=") || line.startsWith("LANG="));
  }

  @Test
  void commandsRunAsAnOrdinaryUser() throws Exception {
    assertThat(client.run("one", "id -un; id -u; touch /x || touch /etc/x").out())
        .startsWith("sprite\n1000\n");
  }

  @Test
  void inputIsClosedUnlessAskedFor() throws Exception {
    assertThat(client.run("one", "cat; echo end").out()).isEqualTo("end\n");
  }

  @Test
  void inputArrivesAndEnds() throws Exception {
    var cat = client.start("one", "cat; echo end", "&stdin=true");
    cat.sayInput("héllo ");
    cat.sayInput("x".repeat(100_000));
    cat.sayEndOfInput();

    assertThat(cat.awaitExit().out()).hasSize(100_000 + 10).endsWith("xend\n");
  }

  @Test
  void aSignalReachesTheWholeGroup() throws Exception {
    var sleep = client.start("one", "sleep 3604 & sleep 3605", "");
    sleep.session();

    sleep.saySignal("SIGTERM");

    assertThat(sleep.awaitExit().code()).isEqualTo(143);
  }

  @Test
  void aSessionIsListedAndKilledById() throws Exception {
    var id = client.start("one", "echo $$; exec sleep 3606", "").session();
    var path = "/v1/sprites/one/exec/" + id + "/kill?signal=SIGTERM&timeout=10s";
    assertThat(client.get("/v1/sprites/one/exec").body()).contains("\"id\":\"" + id + "\"");

    var killed = client.send("POST", path, "").body().lines().toList();

    assertThat(killed.getFirst()).contains("\"signal\"");
    assertThat(killed.getLast()).contains("\"complete\"", "\"exit_code\":143");
    await(() -> vendor.runningCommands() == 0);
    assertThat(client.send("POST", path, "").statusCode()).isEqualTo(410);
    assertThat(client.send("POST", path.replace(id, "999999"), "").statusCode()).isEqualTo(404);
  }

  @Test
  void killingEndsWithForceWhatIgnoresTheSignal() throws Exception {
    var stubborn = client.start("one", "trap '' TERM; echo; sleep 3607 & wait; sleep 3608", "");
    await(() -> !stubborn.out().isEmpty());

    var path = "/v1/sprites/one/exec/" + stubborn.session() + "/kill?timeout=100ms";
    var killed = client.send("POST", path, "").body();

    assertThat(killed).contains("\"timeout\"", "\"killed\"", "\"exit_code\":137");
  }

  @Test
  void theExitWaitsForAChildThatHoldsAPipe() throws Exception {
    var said = client.run("one", "(sleep 0.3; echo late) & echo early");

    assertThat(said.out()).isEqualTo("early\nlate\n");
    assertThat(said.code()).isZero();
  }

  @Test
  void aChildInTheBackgroundOutlivesItsCommand() throws Exception {
    client.run("one", "setsid sleep 3609 > /dev/null 2>&1 & echo $! > pid");

    assertThat(client.run("one", "kill -0 $(cat pid)").code()).isZero();
  }

  @Test
  void theSocketStaysOpenForAWhileAfterTheExit() throws Exception {
    vendor.lingerAfterExit(Duration.ofMillis(500));
    var said = client.run("one", "true");
    var started = System.nanoTime();
    assertThat(said.hasEnded()).isFalse();

    said.awaitEnd();

    assertThat(System.nanoTime() - started).isGreaterThan(MILLISECONDS.toNanos(300));
    assertThat(said.closeCode()).hasValue(1000);
  }

  @Test
  void aCommandNobodyWatchesIsKilledAfterItsGrace() throws Exception {
    vendor.graceAfterDisconnect(Duration.ofMillis(50));
    var watched = client.start("one", "sleep 3610", "");
    watched.session();

    watched.socket().cancel();

    await(() -> vendor.runningCommands() == 0);
  }

  @Test
  void aClientThatComesBackHearsWhatItMissed() throws Exception {
    var script = "mkfifo /tmp/go; echo before; read line < /tmp/go; echo after";
    var first = client.start("one", script, "");
    await(() -> !first.out().isEmpty());
    first.socket().cancel();

    var second = client.open("/v1/sprites/one/exec/" + first.session());
    client.run("one", "echo > /tmp/go");

    assertThat(second.awaitExit().out()).isEqualTo("before\nafter\n");
  }

  @Test
  void aRefusedUpgradeSaysWhy() {
    assertThatThrownBy(() -> client.open("/v1/sprites/none/exec?cmd=true"))
        .cause()
        .isInstanceOfSatisfying(
            Conversed.Refused.class, refusal -> assertThat(refusal.status()).isEqualTo(404));
    assertThatThrownBy(() -> client.open("/v1/sprites/one/exec?dir=/"))
        .cause()
        .isInstanceOfSatisfying(
            Conversed.Refused.class, refusal -> assertThat(refusal.status()).isEqualTo(400));
  }

  @Test
  void muchOutputArrivesWhole() throws Exception {
    assertThat(client.run("one", "head -c 20000000 /dev/zero | tr '\\0' x").out())
        .hasSize(20_000_000);
  }
}
