package mesh.execution.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.BesideOthers;
import mesh.execution.Command;
import mesh.execution.SandboxPath;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script that starts commands, in every shell that a sprite may call {@code sh}. */
@BesideOthers
class CommandScriptTest {

  private static final Dialect DIALECT = endedAfter(Duration.ofSeconds(30));
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Input input = Input.random(new SecureRandom());

  @TempDir Path folder;

  @Shells
  void everyCharacterOfAnArgumentArrives(String shell) throws Exception {
    var all =
        IntStream.rangeClosed(1, 0x2fff)
            .filter(it -> it != 0)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .append("😀'\n\n'\"$n\"\\")
            .toString();

    var ran = run(shell, header("printf", "%s|", all, "", "-n", "$n"), "");

    assertThat(ran.out()).isEqualTo(all + "||-n|$n|" + report("exit 0 0"));
    assertThat(ran.err()).isEqualTo(report("exit 0 0"));
  }

  @Shells
  void theInputBehindTheHeaderIsTheCommands(String shell) throws Exception {
    assertThat(run(shell, header("cat"), "a\nb").out()).isEqualTo("a\nb" + report("exit 0 0"));
    assertThat(run(shell, header("cat"), "").out()).isEqualTo(report("exit 0 0"));
  }

  /** On a wire that cannot tell the end of input, nobody may wait for it. */
  @Shells
  void inputThatIsCountedEndsWithoutAnEnd(String shell) throws Exception {
    var counted = new Dialect("Vendor", "sandbox", Optional.empty(), false);
    var bytes = "a\nb".repeat(70_000);
    for (int length : new int[] {0, 1, 3, bytes.length()}) {
      var text = bytes.substring(0, length);
      var cat = Command.of(List.of("cat"), here(), Duration.ofSeconds(1));

      var ran = run(shell, new String(input.header(cat, length, counted), UTF_8), text + "more");

      assertThat(ran.out()).isEqualTo(text + report("exit 0 0"));
    }
    // It need not be read, also where a child holds on to it.
    var script = "sleep 1 <&0 >/dev/null 2>&1 & exit 3";
    var idle = Command.of(List.of("sh", "-c", script), here(), Duration.ofSeconds(1));
    var header = new String(input.header(idle, bytes.length(), counted), UTF_8);
    assertThat(run(shell, header, bytes).err()).isEqualTo(report("exit 3 1"));
  }

  @Shells
  void whereTheVendorSeesToItNobodyWatches(String shell) throws Exception {
    var unwatched = new Dialect("Vendor", "sandbox", Optional.empty(), true);
    var argv = List.of("sh", "-c", "kill -9 $PPID; sleep 1");
    var command = Command.of(argv, here(), Duration.ofSeconds(1));

    var _ = run(shell, new String(input.header(command, 0, unwatched), UTF_8), "");

    assertThat(watchers()).isEmpty();
  }

  @Shells
  void nothingRunsBeforeTheWholeHeaderCame(String shell) throws Exception {
    var whole = header("touch", folder.resolve("ran").toString());
    for (int length = 0; length < whole.length(); length += 7) {
      run(shell, whole.substring(0, length), "");
    }
    run(shell, whole.substring(0, whole.length() - 1), "");
    assertThat(folder.resolve("ran")).doesNotExist();

    run(shell, whole, "");
    assertThat(folder.resolve("ran")).exists();
  }

  @Shells
  void howItEndedIsTold(String shell) throws Exception {
    assertThat(run(shell, header("sh", "-c", "exit 7"), "").err()).isEqualTo(report("exit 7 0"));
    assertThat(run(shell, header("sh", "-c", "kill -9 $$"), "").err())
        .isEqualTo(report("exit 137 0"));
    assertThat(run(shell, header("sh", "-c", "kill -INT $$"), "").err())
        .isEqualTo(report("exit 130 0"));
    assertThat(run(shell, header("no-such-program"), "").err())
        .contains("no-such-program")
        .endsWith(report("exit 127 0"));
    assertThat(run(shell, header("-c", "env"), "").err()).endsWith(report("exit 127 0"));
    assertThat(run(shell, header("/"), "").err()).endsWith(report("exit 126 0"));
  }

  @Shells
  void whatIsLeftInTheBackgroundIsCounted(String shell) throws Exception {
    var script = "sleep 2 >/dev/null 2>&1 & env -i setsid sleep 2 >/dev/null 2>&1 & exit 1";

    assertThat(run(shell, header("sh", "-c", script), "").err()).isEqualTo(report("exit 1 2"));
  }

  /** Whoever clears a sprite knows a command's processes by a limit that is from this range. */
  @Shells
  void everyLimitIsInTheRangeThatIsCleared(String shell) throws Exception {
    var ranges =
        Pattern.compile("-e \"(\\^Max file size[^\"]*)\"")
            .matcher(Script.CLEAR.text())
            .results()
            .map(it -> it.group(1))
            .toList();
    assertThat(ranges).hasSize(2);
    for (var limit : List.of(1L << 40, (1L << 41) - 1)) {
      var odd = new Input(input.token(), input.mark(), Long.toString(limit));
      var argv =
          List.of("grep", "-c", "-e", ranges.get(0), "-e", ranges.get(1), "/proc/self/limits");
      var command = Command.of(argv, new SandboxPath("/"), Duration.ofSeconds(1));

      assertThat(run(shell, new String(odd.header(command, 0, DIALECT), UTF_8), "").out())
          .isEqualTo("1\n" + report("exit 0 0"));
    }
  }

  @Shells
  void aMissingDirectoryIsTold(String shell) throws Exception {
    var command =
        Command.of(List.of("echo"), new SandboxPath(folder + "/none"), Duration.ofSeconds(1));

    assertThat(run(shell, new String(input.header(command, 1, DIALECT), UTF_8), "").out())
        .isEqualTo(report("nodirectory"));
  }

  @Shells
  void atItsDeadlineACommandEndsWithAllThatLeftIt(String shell) throws Exception {
    var fled = "(env -i PATH=\"$PATH\" setsid sh -c 'while :; do sleep 1; done' >/dev/null 2>&1 &)";
    var script = fled + "; trap '' TERM INT HUP; echo on; while :; do sleep 1; done; echo after";
    long start = System.nanoTime();

    var ran = run(shell, deadline(1, "sh", "-c", script), "");

    assertThat(ran.out()).isEqualTo("on\n" + report("late"));
    assertThat(ran.err()).isEqualTo(report("late"));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(carriers()).isEmpty();
    nobodyWatches();
  }

  @Shells
  void aCommandThatEndsLeavesNobodyWatching(String shell) throws Exception {
    for (var script : List.of("true", "exit 137", "kill -9 $$", "kill -9 0", "kill 0; wait")) {
      assertThat(run(shell, header("sh", "-c", script), "").err()).contains(" exit ");
      nobodyWatches();
    }
    assertThat(run(shell, header("sh", "-c", "sleep 3 >/dev/null 2>&1 &"), "").err())
        .isEqualTo(report("exit 0 1"));
    nobodyWatches();
    assertThat(carriers()).as("what was left in the background").isNotEmpty();
  }

  @Shells
  void aCommandThatKillsItsOwnGroupIsStillWatched(String shell) throws Exception {
    var script = "trap '' TERM; kill 0; echo on; sleep 60";

    assertThat(run(shell, deadline(1, "sh", "-c", script), "").out())
        .isEqualTo("on\n" + report("late"));
  }

  /** As {@code killall sleep} does, but none of anybody else's. */
  @Shells
  void aWatcherWhoseSleepIsKilledSleepsAgain(String shell) throws Exception {
    var find = "grep -l " + watching("-e ") + " /proc/[0-9]*/limits | sort -t / -k 3n";
    var script =
        "until [ $("
            + find
            + " | wc -l) -ge 2 ]; do sleep 0.1; done; last=$("
            + find
            + " | tail -n 1); last=${last#/proc/}; kill -9 ${last%/limits}; echo on; sleep 60";

    assertThat(run(shell, deadline(2, "sh", "-c", script), "").out())
        .isEqualTo("on\n" + report("late"));
  }

  @Shells
  void aCommandThatKillsTheShellIsStillWatched(String shell) throws Exception {
    var ran = run(shell, deadline(1, "sh", "-c", "kill -9 $PPID; sleep 60"), "");

    assertThat(ran.out() + ran.err()).isEmpty();
    Await.until(PATIENCE, this::carriers, Collection::isEmpty);
    nobodyWatches();
  }

  @Shells
  void aSweepTakesTheWatcherAlong(String shell) throws Exception {
    var _ = run(shell, header("sh", "-c", "kill -9 $PPID; sleep 60"), "");
    assertThat(watchers()).isNotEmpty();

    var words = new ArrayList<>(List.of(shell.split(" ", -1)));
    words.addAll(List.of("-c", Script.SWEEP.text(), "mesh", input.mark(), input.limit()));
    assertThat(new ProcessBuilder(words).start().waitFor()).isZero();

    assertThat(carriers()).isEmpty();
    assertThat(watchers()).isEmpty();
  }

  private void nobodyWatches() {
    Await.until(PATIENCE, this::watchers, Collection::isEmpty);
  }

  /** The processes of the command. */
  private List<String> carriers() throws Exception {
    return processesLimitedTo(Long.parseLong(input.limit()));
  }

  private List<String> watchers() throws Exception {
    return processesLimitedTo(Long.parseLong(input.limit()) + 1);
  }

  private static List<String> processesLimitedTo(long blocks) throws Exception {
    var found = new ArrayList<String>();
    for (var handle : ProcessHandle.allProcesses().toList()) {
      var process = Path.of("/proc/" + handle.pid());
      try {
        var limits = Files.readString(process.resolve("limits"));
        if ((limits.contains(" " + blocks * 512 + " ")
                || limits.contains(" " + blocks * 1024 + " "))
            && !Files.readString(process.resolve("stat")).contains(") Z ")) {
          found.add(handle.pid() + " " + Files.readString(process.resolve("cmdline")));
        }
      } catch (IOException gone) {
        // It ended while it was looked at.
      }
    }
    return found;
  }

  private String watching(String option) {
    long blocks = Long.parseLong(input.limit()) + 1;
    return "%1$s' %2$d ' %1$s' %3$d '".formatted(option, blocks * 512, blocks * 1024);
  }

  private String deadline(int seconds, String... argv) {
    var command = Command.of(List.of(argv), here(), Duration.ofMillis(1));
    return new String(
        input.header(command, 0, endedAfter(Duration.ofSeconds(seconds).minusMillis(1))), UTF_8);
  }

  private String header(String... argv) {
    var command = Command.of(List.of(argv), here(), Duration.ofSeconds(1));
    return new String(input.header(command, 1, DIALECT), UTF_8);
  }

  private SandboxPath here() {
    return new SandboxPath(folder.toString());
  }

  private static Dialect endedAfter(Duration margin) {
    return new Dialect("Vendor", "sandbox", Optional.of(margin), true);
  }

  private String report(String words) {
    return "\036" + input.token() + " " + words + "\n";
  }

  private record Ran(String out, String err) {}

  private Ran run(String shell, String header, String stdin) throws Exception {
    var words = List.of(shell.split(" ", -1));
    assumeTrue(isInstalled(words.getFirst()), words.getFirst() + " is not installed");
    var argv = new ArrayList<>(words);
    argv.addAll(List.of("-c", Script.COMMAND.text(), "mesh"));
    var in = folder.resolve("in");
    Files.writeString(in, header + stdin);
    var builder =
        new ProcessBuilder(argv)
            .redirectInput(in.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    // A folder of the tester's own PATH that may not be read turns "not found" into "denied".
    builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
    var process = builder.start();
    process.waitFor();
    Files.delete(in);
    return new Ran(
        Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
  }

  private static boolean isInstalled(String program) throws IOException {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .anyMatch(it -> Files.isExecutable(Path.of(it, program)));
  }

  @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "bash --posix", "busybox sh"})
  private @interface Shells {}
}
