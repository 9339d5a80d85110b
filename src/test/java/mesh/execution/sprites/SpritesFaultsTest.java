package mesh.execution.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import mesh.Await;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.remote.Patience;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.SpritesSimulator;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the adapter makes of a vendor that fails. */
class SpritesFaultsTest {

  private static final InstallationId INSTALLATION = new InstallationId("0123456789");
  private static final String TOKEN = "org/1/very-secret";

  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final SandboxSpec spec =
      SandboxSpec.of(INSTALLATION, UUID.randomUUID(), 1, Size.STANDARD, Duration.ofHours(1));
  private SpritesSimulator vendor;
  private SpritesBackend backend;

  @BeforeEach
  void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    vendor.requireToken(TOKEN);
    backend = open(TOKEN);
  }

  @AfterEach
  void stop() {
    backend.close();
    vendor.close();
  }

  private SpritesBackend open(String token) {
    return open(HttpUrl.get(vendor.baseUrl()), token);
  }

  private SpritesBackend open(HttpUrl base, String token) {
    return open(base, token, SpritesBackends.MARGIN);
  }

  private SpritesBackend open(HttpUrl base, String token, Duration margin) {
    return new OpenSpritesBackend(
        new Account(base, token), new SecureRandom(), pauses::add, margin);
  }

  private static Fault answer(int status, String body) {
    return new Fault.Answer(status, Map.of(), body);
  }

  @Nested
  class WhileASpriteIsMade {

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void anErrorOfTheVendorsIsTriedAgain(int status) throws InterruptedException {
      vendor.faults().next(2, CallKind.CREATE, Fault.status(status));

      backend.acquire(spec);

      assertThat(vendor.sprites()).containsOnlyKeys(spec.key().value());
      assertThat(pauses).hasSize(2);
      assertThat(pauses.get(1)).isGreaterThan(pauses.get(0));
    }

    @Test
    void itIsNotTriedForEver() {
      vendor.faults().always(CallKind.CREATE, Fault.status(500));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Unavailable.class)
          .hasMessageContaining("500")
          .hasMessageContaining("simulated failure");
      assertThat(vendor.calls(CallKind.CREATE)).hasSize(Patience.ATTEMPTS);
    }

    /** case 35 */
    @Test
    void howeverOftenItFailedThereIsOneSprite() throws InterruptedException {
      vendor.faults().next(CallKind.CREATE, new Fault.LostResponse());
      vendor.faults().next(CallKind.GET, Fault.status(503));
      vendor.faults().next(CallKind.CREATE, Fault.status(503));
      vendor.faults().next(CallKind.GET, Fault.status(503));
      vendor.faults().next(CallKind.CREATE, Fault.rateLimited(Duration.ofSeconds(2)));

      var sandbox = backend.acquire(spec);

      assertThat(vendor.sprites()).containsOnlyKeys(sandbox.ref().reveal());
      assertThat(vendor.calls(CallKind.CREATE)).hasSize(Patience.ATTEMPTS);
      assertThat(pauses.getLast()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(6));
    }

    @Test
    void anAnswerThatWasLostLeavesOneSprite() throws InterruptedException {
      vendor.faults().next(CallKind.CREATE, new Fault.LostResponse());

      var sandbox = backend.acquire(spec);

      assertThat(sandbox.ref()).isEqualTo(ExternalRef.of(spec.key().value()));
      assertThat(vendor.sprites()).hasSize(1);
      assertThat(vendor.calls(CallKind.CREATE)).hasSize(1);
    }

    @Test
    void aShortRateLimitIsWaitedOut() throws InterruptedException {
      vendor.faults().next(CallKind.CREATE, Fault.rateLimited(Duration.ofSeconds(2)));

      backend.acquire(spec);

      assertThat(pauses).hasSize(1);
      assertThat(pauses.getFirst()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    @Test
    void aLongRateLimitIsTheCallersToWaitFor() {
      vendor.faults().always(CallKind.CREATE, Fault.rateLimited(Duration.ofSeconds(40)));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOfSatisfying(
              BackendException.Unavailable.class,
              it -> assertThat(it.retryAfter()).isEqualTo(Duration.ofSeconds(40)))
          .hasMessageContaining("too many sprites were created");
      assertThat(pauses).isEmpty();
      assertThat(vendor.calls(CallKind.CREATE)).hasSize(1);
    }

    @Test
    void aLimitOfThePlanIsTheOperators() {
      vendor
          .faults()
          .next(
              CallKind.CREATE,
              answer(
                  429,
                  "{\"error\":\"concurrent_sprite_limit_exceeded\",\"message\":\"3 of 3 run\"}"));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("3 of 3 run");
    }

    @Test
    void aRefusalIsNotTakenForANameThatExists() {
      vendor.faults().next(CallKind.CREATE, answer(400, "{\"error\":\"no region has room\"}"));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("no region has room");
      assertThat(vendor.sprites()).isEmpty();
    }

    @Test
    void aRedirectIsNotFollowed() {
      var elsewhere = Map.of("Location", vendor.baseUrl() + "/v1/sprites");
      vendor.faults().next(CallKind.CREATE, new Fault.Answer(307, elsewhere, ""));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Unexpected.class);
      assertThat(vendor.calls()).hasSize(1);
    }
  }

  @Nested
  class WhenTheTokenIsWrong {

    @Test
    void everyCallIsRejectedWithoutNamingIt() throws InterruptedException {
      backend.acquire(spec);
      try (var wrong = open("org/1/other-secret")) {
        var sprite = new ExternalRef[] {ExternalRef.of(spec.key().value())};

        assertRejected(() -> wrong.acquire(spec));
        assertRejected(() -> wrong.attach(sprite[0]));
        assertRejected(() -> wrong.release(sprite[0]));
        assertRejected(() -> wrong.wake(sprite[0]));
        assertRejected(() -> wrong.destroy(sprite[0]));
        assertRejected(() -> wrong.list(INSTALLATION));
      }
    }

    @Test
    void aTokenThatTheVendorEchoesIsCutOut() {
      vendor.faults().next(CallKind.CREATE, answer(403, "{\"error\":\"no: " + TOKEN + "\"}"));

      assertThatThrownBy(() -> backend.acquire(spec))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("[secret]")
          .hasMessageNotContaining("very-secret");
    }

    private static void assertRejected(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
      assertThatThrownBy(call)
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("401")
          .hasMessageNotContaining("other-secret");
    }
  }

  @Test
  void aVendorThatIsNotThereIsUnavailable() throws IOException {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    try (var nowhere = open(HttpUrl.get("http://127.0.0.1:" + free), TOKEN)) {
      assertThatThrownBy(() -> nowhere.acquire(spec))
          .isInstanceOf(BackendException.Unavailable.class);
      assertThatThrownBy(() -> nowhere.list(INSTALLATION))
          .isInstanceOf(BackendException.Unavailable.class);
    }
    assertThat(pauses).hasSize(2 * (Patience.ATTEMPTS - 1));
  }

  @Nested
  class WhileASpriteIsLookedFor {

    @Test
    void itIsNotGoneForASingle404() throws InterruptedException {
      backend.acquire(spec);
      vendor.faults().next(CallKind.GET, answer(404, "{\"error\":\"sprite not found\"}"));

      assertThat(backend.attach(ExternalRef.of(spec.key().value()))).isNotNull();
    }

    @Test
    void itIsGoneWhenItIsSaidTwice() {
      assertThatThrownBy(() -> backend.attach(ExternalRef.of(spec.key().value())))
          .isInstanceOf(BackendException.SandboxGone.class);
      assertThat(vendor.calls(CallKind.GET)).hasSize(2);
    }
  }

  @Nested
  class WhileASpriteIsReleased {

    @Test
    void itsServicesAreDeletedAndItsSessionsEnded() throws Exception {
      var sandbox = backend.acquire(spec);
      // As code inside makes it; a service whose process is killed is started again.
      var service = new Account(HttpUrl.get(vendor.baseUrl()), TOKEN).sprite(spec.key().value());
      var json = "{\"cmd\":\"sh\",\"args\":[\"-c\",\"echo x >> project/beat; sleep 77\"]}";
      put(service.addPathSegments("services/web").build(), json);
      Await.until(Duration.ofSeconds(20), () -> content(sandbox, "beat"), "x\n"::equals);

      assertThat(backend.release(sandbox.ref())).isEqualTo(Release.HIBERNATED);

      assertThat(vendor.calls(CallKind.SERVICE_DELETE)).hasSize(1);
      assertThat(vendor.calls(CallKind.EXEC_LIST)).hasSize(1);
      var woken = backend.wake(sandbox.ref());
      var script = "! grep -l -a 'slee[p].77' /proc/[0-9]*/cmdline && sleep 1 && cat beat";
      var command =
          Command.of(List.of("sh", "-c", script), woken.project(), Duration.ofSeconds(20));
      var out = new StringBuilder();
      assertThat(woken.exec(command, (_, bytes) -> out.append(UTF_8.decode(bytes))))
          .isEqualTo(new Outcome.Exited(0, 0));
      assertThat(out.toString()).isEqualTo("x\n");
    }

    private void put(HttpUrl url, String json) throws IOException {
      var body = RequestBody.create(json, MediaType.get("application/json"));
      var request =
          new Request.Builder().url(url).put(body).header("Authorization", "Bearer " + TOKEN);
      try (var answer = new OkHttpClient().newCall(request.build()).execute()) {
        assertThat(answer.code()).isEqualTo(200);
      }
    }

    private static String content(Sandbox sandbox, String name) throws InterruptedException {
      var read = sandbox.read(sandbox.project().resolve(name), 0, 100);
      return read instanceof FileRead.Content content ? new String(content.bytes(), UTF_8) : "";
    }

    @Test
    void aVendorThatFailsIsAskedAgain() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().next(2, CallKind.SERVICE_LIST, Fault.status(503));
      vendor.faults().next(2, CallKind.EXEC, new Fault.CutAfter(0));
      vendor.faults().next(2, CallKind.EXEC_LIST, Fault.status(502));

      assertThat(backend.release(ref)).isEqualTo(Release.HIBERNATED);

      assertThat(vendor.sprites()).hasSize(1);
    }

    @Test
    void listsThatAVendorDoesNotHaveAreEmpty() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().next(CallKind.SERVICE_LIST, answer(404, "404 page not found"));
      vendor.faults().next(CallKind.EXEC_LIST, answer(200, "null"));

      assertThat(backend.release(ref)).isEqualTo(Release.HIBERNATED);
    }

    @Test
    void anErrorIsNotTakenForAnEmptyList() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().next(CallKind.SERVICE_LIST, answer(200, "{\"error\":\"no\"}"));

      assertThatThrownBy(() -> backend.release(ref))
          .isInstanceOf(BackendException.Unexpected.class);
    }
  }

  @Nested
  class WhileASpriteIsDestroyed {

    @Test
    void anAnswerThatWasLostIsAskedForAgain() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().next(CallKind.DELETE, new Fault.LostResponse());

      backend.destroy(ref);

      assertThat(vendor.sprites()).isEmpty();
    }

    /** case 86 */
    @Test
    void oneThatIsGoneIsDestroyedAndReleasedAsOftenAsAsked() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      backend.destroy(ref);

      backend.destroy(ref);
      backend.destroy(ref);

      assertThat(backend.release(ref)).isEqualTo(Release.DESTROYED);
      assertThat(backend.release(ref)).isEqualTo(Release.DESTROYED);
      assertThat(vendor.calls(CallKind.DELETE)).hasSize(3);
    }

    /** case 87: a sprite that starts or falls asleep may be in the way of its own end. */
    @ParameterizedTest
    @CsvSource({"409, 3", "500, 2"})
    void oneThatCannotBeDeletedYetIsDeletedLater(int status, int times)
        throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().next(times, CallKind.DELETE, Fault.status(status));

      backend.destroy(ref);

      assertThat(vendor.sprites()).isEmpty();
      assertThat(vendor.calls(CallKind.DELETE)).hasSize(times + 1);
    }

    /** case 87: with bound */
    @Test
    void oneThatCanNeverBeDeletedIsLeftToTheCallersNextTry() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().always(CallKind.DELETE, Fault.status(409));

      assertThatThrownBy(() -> backend.destroy(ref))
          .isInstanceOf(BackendException.Unavailable.class)
          .hasMessageContaining("409");
      assertThat(vendor.calls(CallKind.DELETE)).hasSize(Patience.ATTEMPTS);
    }

    @Test
    void itIsNotCalledDestroyedWhileItLives() throws InterruptedException {
      var ref = backend.acquire(spec).ref();
      vendor.faults().always(CallKind.DELETE, answer(204, ""));

      assertThatThrownBy(() -> backend.destroy(ref))
          .isInstanceOf(BackendException.Unavailable.class)
          .hasMessageContaining("still has");
      assertThat(vendor.sprites()).hasSize(1);
    }
  }

  @Nested
  class WhileSpritesAreListed {

    @Test
    void allPagesAreReadAndWhatIsNotOursIsCounted() throws InterruptedException {
      for (int number = 0; number < 3; number++) {
        backend.acquire(
            SandboxSpec.of(INSTALLATION, UUID.randomUUID(), 1, Size.SMALL, Duration.ofHours(1)));
      }
      backend.acquire(
          SandboxSpec.of(
              new InstallationId("9876543210"),
              UUID.randomUUID(),
              1,
              Size.SMALL,
              Duration.ofHours(1)));
      vendor.faults().next(2, CallKind.LIST, Fault.status(503));
      vendor.faults().next(CallKind.LIST, Fault.slow(Duration.ofMillis(300)));

      var inventory = backend.list(INSTALLATION);
      assertThat(inventory.entries()).hasSize(3);
      assertThat(inventory.others()).isEqualTo(1);
      assertThat(inventory.unmarked()).isZero();
    }

    /** A list may move on between two pages, so that a sprite is on both. */
    @Test
    void aSpriteIsCountedOnceAndOnlyOursMustSayWhenItWasMade() throws InterruptedException {
      var own =
          SandboxSpec.of(INSTALLATION, new UUID(1, 2), 1, Size.SMALL, Duration.ofHours(1))
              .key()
              .value();
      var other =
          SandboxSpec.of(
                  new InstallationId("9876543210"),
                  new UUID(1, 2),
                  1,
                  Size.SMALL,
                  Duration.ofHours(1))
              .key()
              .value();
      var first =
          sprite(own, "2026-01-02T03:04:05Z")
              + ","
              + sprite(other, "")
              + ","
              + sprite("mesh-0123456789-by-hand", "");
      var second =
          first + "," + sprite("web", "") + "," + sprite(own + "1", "2026-01-02T03:04:05Z");
      vendor
          .faults()
          .next(
              CallKind.LIST,
              answer(200, page(first, "\"has_more\":true,\"next_continuation_token\":\"x\"")));
      vendor.faults().next(CallKind.LIST, answer(200, page(second, "\"has_more\":false")));

      var inventory = backend.list(INSTALLATION);

      assertThat(inventory.entries())
          .extracting(it -> it.ref().reveal())
          .containsExactlyInAnyOrder(own, own + "1");
      assertThat(inventory.others()).isEqualTo(1);
      assertThat(inventory.unmarked()).isEqualTo(2);
    }

    private static String sprite(String name, String created) {
      return "{\"name\":\"%s\",\"created_at\":\"%s\"}".formatted(name, created);
    }

    private static String page(String sprites, String end) {
      return "{\"sprites\":[" + sprites + "]," + end + "}";
    }

    @Test
    void halfAListIsNotTakenForAll() {
      vendor.faults().next(CallKind.LIST, answer(200, "{\"sprites\":[],\"has_more\":true}"));
      assertThatThrownBy(() -> backend.list(INSTALLATION))
          .isInstanceOf(BackendException.Unexpected.class);

      var again = "{\"sprites\":[],\"has_more\":true,\"next_continuation_token\":\"x\"}";
      vendor.faults().always(CallKind.LIST, answer(200, again));
      assertThatThrownBy(() -> backend.list(INSTALLATION))
          .isInstanceOf(BackendException.Unexpected.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>gateway</html>", "{\"sprites\":", "null", "[]"})
    void whatIsNoListIsNotTakenForAnEmptyOne(String body) {
      vendor.faults().next(CallKind.LIST, answer(200, body));

      assertThatThrownBy(() -> backend.list(INSTALLATION))
          .isInstanceOf(BackendException.Unexpected.class);
    }

    @Test
    void aNullListIsEmpty() throws InterruptedException {
      vendor.faults().next(CallKind.LIST, answer(200, "{\"sprites\":null,\"has_more\":false}"));

      assertThat(backend.list(INSTALLATION).entries()).isEmpty();
    }
  }

  @Nested
  class WhileACommandRuns {

    private Sandbox sandbox;

    @BeforeEach
    void acquire() throws InterruptedException {
      sandbox = backend.acquire(spec);
      vendor.forgetCalls();
    }

    @Test
    void anUpgradeThatFailedIsTriedAgain() throws InterruptedException {
      vendor.faults().next(2, CallKind.EXEC, Fault.status(503));

      assertThat(append("x").toString()).isEqualTo("Exited[code=0, stillRunning=0]");

      assertThat(lines()).isEqualTo("x\n");
    }

    @Test
    void anUpgradeWhoseAnswerWasLostRunsNothingTwice() throws InterruptedException {
      vendor.faults().next(CallKind.EXEC, new Fault.LostResponse());
      vendor.faults().next(CallKind.EXEC, new Fault.DroppedBefore());

      assertThat(append("x")).isEqualTo(new Outcome.Exited(0, 0));

      assertThat(vendor.calls(CallKind.EXEC)).hasSize(3);
      assertThat(lines()).isEqualTo("x\n");
    }

    @Test
    void aCommandWhoseResultWasLostIsUnknownAndNotRunAgain() throws InterruptedException {
      vendor.faults().next(CallKind.EXEC, new Fault.CutAfter(10));

      var outcome = append("x", "echo; echo 1234567890; echo more");

      assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
      assertThat(lines()).isEqualTo("x\n");
    }

    @Test
    void anExitIsNotBelievedWithoutTheOutputBeforeIt() throws InterruptedException {
      // The last byte of the report is missing.
      vendor.faults().next(CallKind.EXEC, new Fault.CutAfter(5 + 2 * 43 - 1));

      assertThat(exec("printf 12345")).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void aWrapperThatIsKilledLeavesTheOutcomeUnknown() throws InterruptedException {
      assertThat(exec("kill -9 $PPID")).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void theExitFrameIsNotNeeded() throws InterruptedException {
      vendor.faults().next(CallKind.EXEC, new Fault.NoExit(true));
      vendor.faults().next(CallKind.EXEC, new Fault.NoExit(false));
      vendor.faults().next(CallKind.EXEC, new Fault.TextExitOnly());
      vendor.faults().next(CallKind.EXEC, new Fault.ExitWithoutCode());

      for (int code = 0; code < 4; code++) {
        assertThat(exec("exit " + code)).isEqualTo(new Outcome.Exited(code, 0));
      }
    }

    @Test
    void aFalse404DoesNotMakeTheSandboxGone() throws InterruptedException {
      vendor.faults().next(CallKind.EXEC, answer(404, "{\"error\":\"sprite not found\"}"));

      assertThat(exec("exit 3")).isEqualTo(new Outcome.Exited(3, 0));
    }

    @Test
    void aTokenWithdrawnInBetweenIsRejected() {
      vendor.requireToken("another");

      assertThatThrownBy(() -> exec("true"))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("401")
          .hasMessageNotContaining("very-secret");
    }

    /** Marks in the environment alone would be lost by each of these. */
    @ParameterizedTest
    @ValueSource(
        strings = {
          "env -i PATH=\"$PATH\" setsid sh -c 'sleep 3; echo late > late' & wait",
          "(env -i PATH=\"$PATH\" setsid sh -c 'sleep 3; echo late > late' >/dev/null 2>&1 &)"
              + "; sleep 30"
        })
    void atTheTimeoutNothingEscapesByAnEmptyEnvironment(String script) throws InterruptedException {
      assertThat(run(script, Duration.ofSeconds(1))).isEqualTo(new Outcome.TimedOut());

      assertThat(exec("sleep 3; test -e late")).isEqualTo(new Outcome.Exited(1, 0));
    }

    /** case 114: connecting is not the command's time. */
    @Test
    void aSlowConnectionDoesNotMakeAKilledCommandLate() throws InterruptedException {
      vendor.faults().next(CallKind.EXEC, Fault.slow(Duration.ofSeconds(3)));

      assertThat(run("kill -9 $$", Duration.ofSeconds(2))).isEqualTo(new Outcome.Signalled(9, 0));
    }

    /** As when Mesh's clock stood still and the sandbox's did not. */
    @Test
    void aCommandThatTheSandboxEndedAtItsDeadlineTimedOut() throws InterruptedException {
      var timeout = Duration.ofSeconds(20);
      var margin = Duration.ofSeconds(1).minus(timeout);
      try (var hasty = open(HttpUrl.get(vendor.baseUrl()), TOKEN, margin)) {
        var printed = new StringBuilder();
        var command =
            Command.of(
                List.of("sh", "-c", "echo before; sleep 60; echo after"),
                sandbox.project(),
                timeout);

        long start = System.nanoTime();

        var outcome =
            hasty
                .attach(sandbox.ref())
                .exec(command, (_, bytes) -> printed.append(UTF_8.decode(bytes)));

        assertThat(outcome).isEqualTo(new Outcome.TimedOut());
        assertThat(printed.toString()).isEqualTo("before\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(timeout);
      }
    }

    /** The vendor lets nothing be killed, and yet it ends. */
    @Test
    void aCommandThatMeshCannotEndEndsByItself() throws InterruptedException {
      try (var barred = open(HttpUrl.get(vendor.baseUrl()), TOKEN, Duration.ofSeconds(2))) {
        var command =
            Command.of(
                List.of("sh", "-c", "echo; setsid sleep 60 & sleep 60"),
                sandbox.project(),
                Duration.ofSeconds(1));

        var outcome =
            barred
                .attach(sandbox.ref())
                .exec(command, (_, _) -> vendor.faults().always(CallKind.EXEC, Fault.status(500)));

        assertThat(outcome).isEqualTo(new Outcome.TimedOut());
      }

      Await.until(Duration.ofSeconds(20), vendor::runningCommands, n -> n == 0);
    }

    @Test
    void nothingIsLeftAtTheVendor() throws InterruptedException {
      exec("true");
      run("sleep 30", Duration.ofMillis(300));
      append("x");

      long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      while (vendor.runningCommands() > 0 && System.nanoTime() < end) {
        java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
      assertThat(vendor.runningCommands()).isZero();
    }

    @Test
    void aWriteWhoseResultWasLostIsDoneAgain() throws InterruptedException {
      var file = sandbox.project().resolve("f");
      vendor.faults().next(CallKind.EXEC, new Fault.CutAfter(0));

      assertThat(sandbox.write(file, "content".getBytes(UTF_8), FileMode.PRIVATE))
          .isEqualTo(new FileWrite.Written(7));

      vendor.faults().next(2, CallKind.EXEC, new Fault.CutAfter(3));
      assertThat(sandbox.read(file, 0, 100))
          .isInstanceOfSatisfying(
              FileRead.Content.class,
              it -> assertThat(it.bytes()).isEqualTo("content".getBytes(UTF_8)));
      assertThat(exec("test \"$(ls -A)\" = f")).isEqualTo(new Outcome.Exited(0, 0));
    }

    private Outcome append(String line) throws InterruptedException {
      return append(line, "true");
    }

    private Outcome append(String line, String then) throws InterruptedException {
      return exec("echo " + line + " >> effect; " + then);
    }

    private String lines() throws InterruptedException {
      var read = (FileRead.Content) sandbox.read(sandbox.project().resolve("effect"), 0, 100);
      return new String(read.bytes(), UTF_8);
    }

    private Outcome exec(String script) throws InterruptedException {
      return run(script, Duration.ofSeconds(20));
    }

    private Outcome run(String script, Duration timeout) throws InterruptedException {
      var command = Command.of(List.of("sh", "-c", script), sandbox.project(), timeout);
      return sandbox.exec(command, (_, _) -> {});
    }
  }
}
