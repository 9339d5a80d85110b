package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is released sleeps with its files and without its processes, and wakes as it was. */
abstract class HibernationPromises {

  /** A tree as git leaves one: unwritable objects, a program, links, an empty directory. */
  private static final String PLANT =
      "mkdir -p .git/objects/ab empty deep/er ~/.cache; echo object > .git/objects/ab/cdef;"
          + " chmod 444 .git/objects/ab/cdef; chmod 555 .git/objects/ab;"
          + " printf '#!/bin/sh\\necho ran' > run; chmod 755 run; echo secret > key; chmod 600 key;"
          + " ln -s run link; ln -s nowhere dangling; ln run again; : > 'a b'; chmod 700 deep;"
          + " echo kept > ~/.cache/note; touch -d '2001-02-03 04:05:06' key";

  private static final String TREE =
      "find . ~/.cache -exec stat -c '%a %F %s %h %n' {} + | sort; stat -c %Y key;"
          + " find . -type f -exec cksum {} + | sort; ls -l link dangling | sed 's/.* -> //'";

  /** Runs for a minute and shows it. */
  private static final String BEAT =
      "sh -c 'i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo x >> beat; sleep 0.1; done'";

  private final Laboratory laboratory;

  HibernationPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @BeforeEach
  void onlyWhereThereIsSuchAThing() {
    assumeTrue(laboratory.backend() instanceof Hibernator, "this backend does not hibernate");
  }

  private Hibernator hibernator() {
    return (Hibernator) laboratory.backend();
  }

  private Sandbox acquired() throws InterruptedException {
    return laboratory.backend().acquire(laboratory.newSpec());
  }

  private void release(Sandbox sandbox) throws InterruptedException {
    assertThat(laboratory.backend().release(sandbox.ref())).isEqualTo(Release.HIBERNATED);
  }

  private static String shell(Sandbox sandbox, String script) throws InterruptedException {
    var command = Laboratory.script(sandbox.project(), script, Laboratory.PATIENCE);
    return Transcript.of(sandbox, command).succeeded().out();
  }

  @Test
  void filesSurviveWithTheirModesAndLinks() throws InterruptedException {
    var sandbox = acquired();
    shell(sandbox, PLANT);
    var before = shell(sandbox, TREE);

    release(sandbox);
    var woken = hibernator().wake(sandbox.ref());

    assertThat(shell(woken, TREE)).isEqualTo(before).contains("444 regular file 7 ");
    assertThat(shell(woken, "./run")).isEqualTo("ran\n");
    laboratory.destroy(sandbox.ref());
  }

  @Test
  void itWakesAtTheSamePathsAndWorks() throws InterruptedException {
    var sandbox = acquired();
    release(sandbox);

    var woken = ((Hibernator) laboratory.another()).wake(sandbox.ref());

    assertThat(woken.ref()).isEqualTo(sandbox.ref());
    assertThat(woken.project()).isEqualTo(sandbox.project());
    assertThat(woken.home()).isEqualTo(sandbox.home());
    var file = woken.project().resolve("sub/f");
    assertThat(woken.write(file, "new".getBytes(UTF_8), FileMode.KEEP))
        .isEqualTo(new FileWrite.Written(3));
    assertThat(Laboratory.contentOf(woken, file)).asString(UTF_8).isEqualTo("new");
    assertThat(shell(woken, "cat sub/f; cd; pwd; f=$(mktemp) && echo $? && rm \"$f\""))
        .isEqualTo("new" + woken.home().value() + "\n0\n");
    laboratory.destroy(sandbox.ref());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s >/dev/null 2>&1 &",
        "%s &",
        "setsid %s >/dev/null 2>&1 </dev/null &",
        "(setsid nohup %s >/dev/null 2>&1 &) ; true",
        "(setsid sh -c \"trap '' TERM INT HUP; $(cat beat.sh)\" >/dev/null 2>&1 &) ; true",
        "(env -i PATH=\"$PATH\" setsid %s >/dev/null 2>&1 </dev/null &) ; true",
        "(ulimit -f 9999; env -i PATH=\"$PATH\" setsid %s >/dev/null 2>&1 </dev/null &) ; true"
      })
  void whatRanInTheBackgroundHasEnded(String started) throws InterruptedException {
    var sandbox = acquired();
    sandbox.write(sandbox.project().resolve("beat.sh"), BEAT.getBytes(UTF_8), FileMode.KEEP);
    shell(sandbox, started.replace("%s", BEAT) + "\nuntil [ -s beat ]; do sleep 0.05; done");

    release(sandbox);
    var woken = hibernator().wake(sandbox.ref());

    assertThat(beats(woken)).isFalse();
    laboratory.destroy(sandbox.ref());
  }

  private static boolean beats(Sandbox sandbox) throws InterruptedException {
    var grown =
        "a=$(wc -c < beat); sleep 1; b=$(wc -c < beat); [ $b -gt $a ] && echo yes || echo no";
    return shell(sandbox, grown).equals("yes\n");
  }

  @Test
  void whatRanInTheForegroundHasEnded() throws Exception {
    var sandbox = acquired();
    var going = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var script = "echo go; " + BEAT + "; echo > after";
      var command = Laboratory.script(sandbox.project(), script, Laboratory.PATIENCE);
      Future<Outcome> running =
          threads.submit(() -> sandbox.exec(command, (_, _) -> going.countDown()));
      assertThat(going.await(20, TimeUnit.SECONDS)).isTrue();
      shell(sandbox, "until [ -s beat ]; do sleep 0.05; done");

      release(sandbox);

      assertEndedEarly(running);
    }
    var woken = hibernator().wake(sandbox.ref());
    assertThat(beats(woken)).isFalse();
    assertThat(woken.read(woken.project().resolve("after"), 0, 1)).isEqualTo(new FileRead.Absent());
    laboratory.destroy(sandbox.ref());
  }

  private static void assertEndedEarly(Future<Outcome> running) throws Exception {
    try {
      assertThat(running.get(20, TimeUnit.SECONDS))
          .isInstanceOfAny(Outcome.Signalled.class, Outcome.Unknown.class);
    } catch (ExecutionException gone) {
      assertThat(gone).hasCauseInstanceOf(BackendException.SandboxGone.class);
    }
  }

  @Test
  void releasedTwiceItSleepsOn() throws InterruptedException {
    var sandbox = acquired();
    shell(sandbox, "echo kept > f");

    release(sandbox);
    release(sandbox);
    assertThat(laboratory.another().release(sandbox.ref())).isEqualTo(Release.HIBERNATED);

    assertThat(shell(hibernator().wake(sandbox.ref()), "cat f")).isEqualTo("kept\n");
    laboratory.destroy(sandbox.ref());
  }

  @Test
  void wokenTwiceItIsTheSameAndWhatRunsGoesOn() throws InterruptedException {
    var sandbox = acquired();
    release(sandbox);
    var woken = hibernator().wake(sandbox.ref());
    shell(woken, BEAT + " >/dev/null 2>&1 & until [ -s beat ]; do sleep 0.05; done");

    var again = ((Hibernator) laboratory.another()).wake(sandbox.ref());

    assertThat(again.ref()).isEqualTo(sandbox.ref());
    assertThat(beats(again)).isTrue();
    laboratory.destroy(sandbox.ref());
  }

  @Test
  void whileItSleepsItIsListedAndItsKeyWakesIt() throws InterruptedException {
    var spec = laboratory.newSpec();
    var sandbox = laboratory.backend().acquire(spec);
    shell(sandbox, "echo kept > f");
    release(sandbox);

    assertThat(entriesOf(spec)).singleElement().isEqualTo(sandbox.ref());
    var again = laboratory.another().acquire(spec);

    assertThat(again.ref()).isEqualTo(sandbox.ref());
    assertThat(shell(again, "cat f")).isEqualTo("kept\n");
    assertThat(entriesOf(spec)).hasSize(1);
    laboratory.destroy(sandbox.ref());
    assertThat(entriesOf(spec)).isEmpty();
  }

  /** A release ends commands, and those of others that release or wake are commands too. */
  private static void assertDoneOrNotNow(Future<?> call) throws InterruptedException {
    try {
      assertThat(call.get()).isNotNull();
    } catch (ExecutionException inTheWay) {
      assertThat(inTheWay).hasCauseInstanceOf(BackendException.Unavailable.class);
    }
  }

  private List<ExternalRef> entriesOf(SandboxSpec spec) throws InterruptedException {
    return laboratory.backend().list(laboratory.installation()).entries().stream()
        .filter(it -> it.key().equals(spec.key()))
        .map(InventoryEntry::ref)
        .toList();
  }

  @Test
  void destroyedAsleepItIsGone() throws InterruptedException {
    var sandbox = acquired();
    release(sandbox);

    hibernator().destroy(sandbox.ref());

    assertIsGone(sandbox);
  }

  @Test
  void destroyedAwakeItIsGone() throws InterruptedException {
    var sandbox = acquired();
    release(sandbox);
    hibernator().wake(sandbox.ref());

    hibernator().destroy(sandbox.ref());

    assertIsGone(sandbox);
  }

  private void assertIsGone(Sandbox sandbox) throws InterruptedException {
    hibernator().destroy(sandbox.ref());
    assertThatThrownBy(() -> hibernator().wake(sandbox.ref()))
        .isInstanceOf(BackendException.SandboxGone.class);
    assertThatThrownBy(() -> laboratory.another().attach(sandbox.ref()))
        .isInstanceOf(BackendException.SandboxGone.class);
    assertThat(laboratory.backend().release(sandbox.ref())).isEqualTo(Release.DESTROYED);
    assertThat(laboratory.backend().list(laboratory.installation()).entries())
        .extracting(InventoryEntry::ref)
        .doesNotContain(sandbox.ref());
  }

  /** Whoever comes first and last: it stays one sandbox with its files. */
  @Test
  void releasedAndWokenAtOnceItIsOneAndWhole() throws Exception {
    var spec = laboratory.newSpec();
    var sandbox = laboratory.backend().acquire(spec);
    shell(sandbox, "echo kept > f");
    var backends = List.of(laboratory.backend(), laboratory.another());

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<?>>();
      for (var i = 0; i < 12; i++) {
        var backend = backends.get(i % 2);
        var turn = i;
        calls.add(
            threads.submit(() ->
                switch (turn % 3) {
                  case 0 -> backend.release(sandbox.ref());
                  case 1 -> ((Hibernator) backend).wake(sandbox.ref());
                  default -> backend.acquire(spec);
                }));
      }
      for (var call : calls) {
        assertDoneOrNotNow(call);
      }
    }

    assertThat(shell(hibernator().wake(sandbox.ref()), "cat f")).isEqualTo("kept\n");
    assertThat(entriesOf(spec)).hasSize(1);
    laboratory.destroy(sandbox.ref());
  }
}
