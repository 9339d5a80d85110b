package mesh.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.execution.Outcome;
import mesh.execution.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as a sandbox's memory, who is ended for it, and what a sandbox knows of its size. */
class LocalMemoryTest {

  private static final long LIMIT_MIB = 128;
  private static final Duration LONG = Duration.ofSeconds(40);

  private final AtomicLong kernelKills = new AtomicLong(7);
  private final AtomicLong asked = new AtomicLong();

  @RegisterExtension
  private final OwnSandbox here = new OwnSandbox(new MemorySizes(LIMIT_MIB << 20), this::askKernel);

  /**
   * In small pieces, since a shell holds a value twice while it takes it. Goes on with so much
   * taken.
   */
  private static String take(int mebibytes) {
    return "c=$(head -c 1M /dev/zero | tr '\\0' x); n=0; until [ $n = "
        + mebibytes
        + " ]; do eval \"v$n=\\$c\"; n=$((n+1)); done; ";
  }

  private long askKernel() {
    asked.incrementAndGet();
    return kernelKills.get();
  }

  private static boolean isGuarded() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(it -> it.getName().equals(MemoryGuard.THREAD));
  }

  private boolean isNotLookedAt(String script) {
    try {
      var before = asked.get();
      here.exec(script, LONG);
      return asked.get() == before;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void endsGuarding() {
    Await.until(Duration.ofSeconds(5), LocalMemoryTest::isGuarded, it -> !it);
  }

  @Test
  void aShortCommandIsNotLookedAtAndALongOneOnlyWhileItRuns() throws InterruptedException {
    endsGuarding();

    // Where much else runs, not every one is short.
    assertThat(IntStream.range(0, 20)).anyMatch(_ -> isNotLookedAt("true"));

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> here.exec("until [ -e go ]; do sleep 0.1; done", LONG));
      Await.until(Duration.ofSeconds(10), LocalMemoryTest::isGuarded, it -> it);
      Files.createFile(here.host("go"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    endsGuarding();
  }

  @Test
  void whoAllocatesAsFastAsItCanIsStoppedSoon() throws InterruptedException {
    var outcome = here.exec("ulimit -v 8388608; sleep 0.3; exec tail /dev/zero 2>/dev/null", LONG);

    assertThat(outcome).isEqualTo(new Outcome.OutOfMemory());
  }

  @Test
  void severalThatFitAloneAndNotTogetherAreTooMuchAndTheLargestEnds() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var smaller =
          threads.submit(() ->
              here.exec(take(30) + "echo > smaller; until [ -e go ]; do sleep 0.1; done", LONG));
      await("smaller");
      var larger =
          threads.submit(() ->
              here.exec(take(60) + "echo > larger; until [ -e go ]; do sleep 0.1; done", LONG));
      await("larger");

      var middle =
          here.exec(take(45) + "i=0; until [ $i = 15 ]; do i=$((i+1)); sleep 0.1; done", LONG);

      assertThat(larger.get()).isEqualTo(new Outcome.OutOfMemory());
      assertThat(middle).isEqualTo(new Outcome.Exited(0, 0));
      Files.createFile(here.host("go"));
      assertThat(smaller.get()).isEqualTo(new Outcome.Exited(0, 0));
    }
  }

  private void await(String file) {
    Await.until(Duration.ofSeconds(20), () -> Files.exists(here.host(file)), it -> it);
  }

  @Test
  void whatAnEarlierCommandLeftEndsAndTheOneThatRunsGoesOn() throws InterruptedException {
    here.exec("(" + take(90) + "echo > taken; read x < wait) & echo $! > pid; mkfifo wait", LONG);
    await("taken");
    var left = here.pid();

    var outcome =
        here.exec(take(50) + "i=0; until [ $i = 15 ]; do i=$((i+1)); sleep 0.1; done", LONG);

    assertThat(outcome).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(here.isAlive(left)).isFalse();
  }

  /** As a server does that forks a worker for each processor once it has read its data. */
  @Test
  void memoryThatATreeSharesCountsOnce() throws InterruptedException {
    var outcome =
        here.exec(
            take(40)
                + "mkfifo wait; exec 9<>wait;"
                + " for i in 1 2 3 4 5 6; do (read x <&9; exit 0) & done; sleep 1.5;"
                + " for i in 1 2 3 4 5 6; do echo >&9; done; wait; exit 3",
            LONG);

    assertThat(outcome).isEqualTo(new Outcome.Exited(3, 0));
  }

  @Test
  void whatIsMappedFromFilesCountsForNothing() {
    var status = "Name:\tRssAnon: 9\nVmRSS:\t 999 kB\nRssAnon:\t   10 kB\nRssFile:\t 500 kB\n";

    assertThat(Footprint.atMost(status + "RssShmem:\t 20 kB\nVmSwap:\t 30 kB\n")).isEqualTo(61440);
    assertThat(Footprint.atMost("")).isZero();
    assertThat(
            Footprint.share(
                "0-1 ---p [rollup]\nRss: 99 kB\nPss: 90 kB\nPss_Anon:  10 kB\nPss_File: 70 kB\n"
                    + "Pss_Shmem: 20 kB\nSwap: 50 kB\nSwapPss: 30 kB\n"))
        .isEqualTo(OptionalLong.of(61440));
    assertThat(Footprint.share("")).isEmpty();
  }

  @Test
  void whatTheKernelKillsForMemoryIsToldAsThat() throws InterruptedException {
    var scene = "echo $$ > pid; until [ -e go ]; do sleep 0.1; done; kill -9 $$";
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> {
        Await.until(Duration.ofSeconds(10), LocalMemoryTest::isGuarded, it -> it);
        kernelKills.incrementAndGet();
        return Files.createFile(here.host("go"));
      });

      assertThat(here.exec(scene, LONG)).isEqualTo(new Outcome.OutOfMemory());
    }
  }

  @Test
  void whoeverElseKillsItIsToldAsASignal() throws InterruptedException {
    assertThat(here.exec("sleep 0.5; kill -9 $$", LONG)).isEqualTo(new Outcome.Signalled(9, 0));
  }

  @Test
  void anOrdinaryEndIsNotTheKernelsHoweverMuchItKillsMeanwhile() throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> {
        Await.until(Duration.ofSeconds(10), LocalMemoryTest::isGuarded, it -> it);
        kernelKills.incrementAndGet();
        return Files.createFile(here.host("go"));
      });

      assertThat(here.exec("until [ -e go ]; do sleep 0.1; done; exit 4", LONG))
          .isEqualTo(new Outcome.Exited(4, 0));
    }
  }

  private Path sizeFile() {
    return here.root().resolve(here.spec().key().value()).resolve("size");
  }

  @Test
  void aSandboxKeepsTheSizeItWasMadeWith() throws IOException {
    var size = new KeptSize(here.root().resolve("one"));

    size.keep(Size.LARGE);
    size.keep(Size.SMALL);

    assertThat(size.read()).isEqualTo(Size.LARGE);
    assertThat(sizeFile()).hasContent("SMALL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm size",
        "echo HUGE > size",
        ": > size",
        "head -c 1000000 /dev/zero > size",
        "rm size; mkfifo size",
        "rm size; mkdir size",
        "rm size; ln -s /dev/zero size",
        "chmod 000 size"
      })
  void whatIsDoneToThatLeavesASmallSandboxThatWorks(String deed) throws InterruptedException {
    here.exec("cd ..; " + deed, LONG);

    var attached = here.backend().attach(here.sandbox().ref());

    assertThat(attached.exec(here.command("true"), (_, _) -> {}))
        .isEqualTo(new Outcome.Exited(0, 0));
    assertThat(new KeptSize(sizeFile()).read()).isEqualTo(Size.SMALL);
    here.backend().release(here.sandbox().ref());
    assertThat(here.backend().wake(here.sandbox().ref()).exec(here.command("true"), (_, _) -> {}))
        .isEqualTo(new Outcome.Exited(0, 0));
  }

  @Test
  void eachSizeHasTwiceTheMemoryOfTheOneBefore() {
    var sizes = new MemorySizes(1 << 30);

    assertThat(Size.values()).extracting(it -> sizes.of(it) >> 30).containsExactly(1L, 2L, 4L, 8L);
  }
}
