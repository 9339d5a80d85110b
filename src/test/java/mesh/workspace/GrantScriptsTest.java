package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import mesh.Suites;
import mesh.credential.Provider;
import mesh.execution.Command;
import mesh.execution.SandboxPath;
import mesh.secret.Secret;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts that deliver grants, as the shells of sandboxes run them. */
class GrantScriptsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";
  private static final String CANARY = "ghp_canaryCANARYcanary";
  private static final UUID INSTANCE = UUID.fromString("00000000-0000-7000-8000-000000000001");

  enum Sh {
    DASH("/bin/dash"),
    BASH("/bin/bash"),
    BASH_POSIX("/bin/bash", "--posix"),
    BUSYBOX("/usr/bin/busybox", "sh");

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed
    private final List<String> program;

    Sh(String... program) {
      this.program = List.of(program);
    }

    /** Ends the test unless this machine has it. */
    List<String> program() {
      Suites.require(
          "grants in " + name().toLowerCase(java.util.Locale.ROOT),
          Files.isExecutable(Path.of(program.getFirst())),
          "there is no " + program.getFirst());
      return program;
    }
  }

  @TempDir private Path home;
  private Path all = Path.of("/");
  private Path part = Path.of("/");
  private Path project = Path.of("/");

  @BeforeEach
  void makeFolders() throws IOException {
    all = home.resolve(".mesh-grants");
    part = all.resolve(INSTANCE.toString());
    project = Files.createDirectory(home.resolve("project"));
  }

  /** {@code granted.sh} */
  @Nested
  class ACommandWithItsGrant {

    private Path grant = Path.of("/");

    @BeforeEach
    void deliver() throws IOException {
      Files.createDirectories(part);
      grant = part.resolve("fedcba9876543210");
      writeGrant();
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void getsEveryArgumentByteForByte(Sh sh) throws Exception {
      long seed = new Random().nextLong();
      var arguments = new ArrayList<>(NASTY);
      var random = new Random(seed);
      while (arguments.size() < NASTY.size() + 400) {
        arguments.add(text(random));
      }
      var argv = new ArrayList<>(List.of("printf", "%s\\0"));
      argv.addAll(arguments);

      var ran = run(sh, argv);

      assertThat(ran.code).as("seed %d, %s", seed, ran.err()).isZero();
      assertThat(ran.records()).as("seed %d", seed).isEqualTo(arguments);
      assertThat(ran.err()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void endsAsItEnds(Sh sh) throws Exception {
      for (int code : new int[] {0, 1, 2, 42, 125, 126, 127, 128, 193, 255}) {
        writeGrant();
        var ran = run(sh, List.of("sh", "-c", "echo out; echo err >&2; exit " + code));
        assertThat(ran.code).isEqualTo(code);
        assertThat(ran.out()).isEqualTo("out\n");
        assertThat(ran.err()).isEqualTo("err\n");
      }
      for (int signal : new int[] {1, 2, 9, 13, 15}) {
        writeGrant();
        var ran = run(sh, List.of("sh", "-c", "kill -" + signal + " $$"));
        assertThat(ran.code).as("signal %d, %s", signal, ran.err()).isEqualTo(128 + signal);
      }
    }

    /** A signal to the wrapper is one to the command: they are one process. */
    @ParameterizedTest
    @EnumSource(Sh.class)
    void isTheProcessThatWasStarted(Sh sh) throws Exception {
      var process = start(sh, List.of("sh", "-c", "echo $$; exec sleep 20"), Map.of());
      try (var out = process.inputReader(UTF_8)) {
        assertThat(out.readLine()).isEqualTo(Long.toString(process.pid()));
        process.destroy();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      }

      assertThat(process.exitValue()).isEqualTo(128 + 15);
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void readsItsOwnStandardInput(Sh sh) throws Exception {
      var process = start(sh, List.of("cat"), Map.of());
      try (var in = process.getOutputStream()) {
        in.write("one\ntwo".getBytes(UTF_8));
      }

      assertThat(Ran.of(process).out()).isEqualTo("one\ntwo");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void seesNothingOfTheWrapperButWhatIsGranted(Sh sh) throws Exception {
      var bare = environment(Ran.of(process(List.of("env", "-0"), Map.of())));
      var granted = environment(run(sh, List.of("env", "-0")));

      var added = new TreeMap<>(granted);
      added.keySet().removeAll(bare.keySet());
      added.keySet().removeAll(SHELLS_OWN);
      assertThat(added.keySet())
          .contains("GH_TOKEN", "GITHUB_TOKEN", "MESH_SECRET_DEPLOY_KEY", "GIT_CONFIG_COUNT")
          .allMatch(name -> name.matches("(GH|GITHUB|GIT|GLAB|MESH_SECRET)_[A-Z0-9_]+|NO_PROMPT"));
      assertThat(granted).containsEntry("GH_TOKEN", CANARY);
      assertThat(granted.values()).doesNotContain(TOKEN);
      assertThat(granted.toString()).doesNotContain(TOKEN).doesNotContain(part.toString());
      for (var name : bare.keySet()) {
        if (!SHELLS_OWN.contains(name)) {
          assertThat(granted).as(name).containsEntry(name, bare.getOrDefault(name, ""));
        }
      }
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void beginsAfterItsFileIsGone(Sh sh) throws Exception {
      var ran =
          run(sh, List.of("sh", "-c", "ls -A \"$1\"; echo \"$GH_TOKEN\"", "x", part.toString()));

      assertThat(ran.out()).isEqualTo(CANARY + "\n");
      assertThat(grant).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void isFoundOrNotAsAnyOther(Sh sh) throws Exception {
      for (var program :
          List.of("-c", "--", "-a", "--help", "no-such-program", "./none", "export")) {
        writeGrant();
        var ran = run(sh, List.of(program, "env"));
        assertThat(ran.code).as(program).isEqualTo(127);
        assertThat(ran.out()).as(program).isEmpty();
        assertThat(ran.err()).as(program).isNotEmpty().doesNotContain(CANARY, "mesh-grant");
      }
    }

    /** Also in an environment that has the names of the wrapper's own variables. */
    @ParameterizedTest
    @EnumSource(Sh.class)
    void runsWhateverTheEnvironmentHas(Sh sh) throws Exception {
      var odd =
          Map.of(
              "MESH_GRANT", "other",
              "ENV", home.resolve("env.sh").toString(),
              "BASH_ENV", home.resolve("env.sh").toString(),
              "IFS", "/0a",
              "CDPATH", "/tmp:/",
              "POSIXLY_CORRECT", "1");
      Files.writeString(home.resolve("env.sh"), "");

      var ran = Ran.of(start(sh, List.of("printf", "%s", "a 0 b"), odd));

      assertThat(ran.code).as(ran.err()).isZero();
      assertThat(ran.out()).isEqualTo("a 0 b");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithoutItsFile(Sh sh) throws Exception {
      Files.delete(grant);

      assertRefused(sh, "missing");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithAnyPartOfItsFile(Sh sh) throws Exception {
      var whole = content();
      int header = ("# " + TOKEN + "\n").length();
      var cuts = new ArrayList<>(List.of(header, header + 1, header + 20, whole.length - 2));
      long seed = new Random().nextLong();
      new Random(seed).ints(12, header, whole.length - 2).forEach(cuts::add);
      for (int cut : cuts) {
        var part = Arrays.copyOf(whole, cut);
        if (!new String(part, UTF_8).stripTrailing().endsWith("export")) {
          Files.write(grant, part);
          assertRefused(sh, "cut at " + cut + ", seed " + seed, "unreadable", "replaced");
        }
      }
    }

    /** A file that was cut off after the word lists what came before it, and more. */
    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotShowWhatAFileSays(Sh sh) throws Exception {
      for (var rest : List.of("export", "export ", "export -p\n", "set\n", "cat " + grant + "\n")) {
        Files.writeString(grant, "# " + TOKEN + "\nexport X='" + CANARY + "'\n" + rest);
        assertRefused(sh, rest, "unreadable", "replaced");
      }
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithAnEmptyOrHeadlessFile(Sh sh) throws Exception {
      var whole = content();
      for (int cut : new int[] {0, 1, 2, 10, 33, 34}) {
        Files.write(grant, Arrays.copyOf(whole, cut));
        assertRefused(sh, "cut at " + cut, "unreadable", "replaced");
      }
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithTheFileOfAnotherCommand(Sh sh) throws Exception {
      var other = TOKEN.replace('0', 'f');
      Files.write(grant, GrantFile.content(other, Map.of(), Map.of("x", Secret.of(CANARY))));
      assertRefused(sh, "replaced");

      Files.writeString(
          grant, "# " + TOKEN + "\nexport X='" + CANARY + "'\nMESH_GRANT='" + other + "'\n");
      assertRefused(sh, "replaced");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithAFileThatIsNoScript(Sh sh) throws Exception {
      for (var rest :
          List.of(
              "export X='" + CANARY,
              "export X=$(" + CANARY + "\n",
              "if " + CANARY + "\n",
              ") " + CANARY + "\n",
              CANARY + "\n",
              "exit 0 # " + CANARY + "\n",
              "export 1=" + CANARY + "\n",
              ": ${NONE?" + CANARY + "}\n",
              ". /none/" + CANARY + "\n",
              "return 3 # " + CANARY + "\n",
              "\0" + CANARY)) {
        Files.writeString(grant, "# " + TOKEN + "\n" + rest);
        assertRefused(sh, rest, "unreadable", "replaced");
      }
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithAFileThatCannotBeRead(Sh sh) throws Exception {
      Assumptions.assumeFalse(
          "root".equals(System.getProperty("user.name")), "root can read every file");
      Files.setPosixFilePermissions(grant, PosixFilePermissions.fromString("---------"));

      assertRefused(sh, "unreadable");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithALinkInTheFilesPlace(Sh sh) throws Exception {
      var elsewhere = Files.move(grant, home.resolve("elsewhere"));
      Files.createSymbolicLink(grant, elsewhere);
      assertRefused(sh, "replaced");
      assertThat(elsewhere).exists();

      Files.delete(grant);
      Files.createSymbolicLink(grant, home.resolve("nowhere"));
      assertRefused(sh, "replaced");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithAPipeOrFolderInTheFilesPlace(Sh sh) throws Exception {
      Files.delete(grant);
      assertThat(Ran.of(process(List.of("mkfifo", grant.toString()), Map.of())).code).isZero();
      assertRefused(sh, "replaced");

      Files.delete(grant);
      Files.createDirectory(grant);
      assertRefused(sh, "replaced");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void doesNotRunWithALinkInAFoldersPlace(Sh sh) throws Exception {
      for (var folder : List.of(part, all)) {
        var moved = home.resolve("moved-" + folder.getFileName());
        Files.move(folder, moved);
        Files.createSymbolicLink(folder, moved);

        assertRefused(sh, "replaced");

        Files.delete(folder);
        Files.move(moved, folder);
      }
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void findsEveryValueByteForByte(Sh sh) throws Exception {
      var values = new LinkedHashMap<String, String>();
      var ascii = new StringBuilder();
      for (int i = 1; i < 128; i++) {
        ascii.append((char) i);
        values.put("byte" + i, Character.toString(i));
        values.put("around" + i, "a" + (char) i + "b" + (char) i);
      }
      values.put("ascii", ascii.toString());
      values.put("reversed", ascii.reverse().toString());
      for (int i = 0; i < NASTY.size(); i++) {
        values.put("nasty" + i, NASTY.get(i));
      }
      values.put("long", "'\\\n".repeat(20_000));
      var key = "-----BEGIN KEY-----\n" + "MIIE+/==\n".repeat(30) + "-----END KEY-----\n";
      values.put("pem", key);
      values.put("pem-crlf", key.replace("\n", "\r\n"));
      long seed = new Random().nextLong();
      var random = new Random(seed);
      for (int i = 0; i < 100; i++) {
        values.put("random" + i, text(random));
      }
      var secrets = new LinkedHashMap<String, Secret>();
      values.forEach((name, value) -> secrets.put(name, Secret.of(value)));
      Files.write(grant, GrantFile.content(TOKEN, Map.of(), secrets));

      var ran = run(sh, List.of("env", "-0"));

      assertThat(ran.code).as("seed %d, %s", seed, ran.err()).isZero();
      var seen = environment(ran);
      values.forEach((name, value) ->
          assertThat(seen)
              .as("%s, seed %d", name, seed)
              .containsEntry(mesh.credential.VaultNames.variable(name), value));
    }

    private void writeGrant() throws IOException {
      Files.write(grant, content());
      Files.setPosixFilePermissions(grant, PosixFilePermissions.fromString("rw-------"));
    }

    private static byte[] content() {
      return GrantFile.content(
          TOKEN,
          Map.of(Provider.GITHUB, Secret.of(CANARY)),
          Map.of("deploy-key", Secret.of(CANARY + "\n'x'")));
    }

    private void assertRefused(Sh sh, String reason) throws Exception {
      assertRefused(sh, reason, reason);
    }

    /** One line and nothing else, and nobody ran. */
    private void assertRefused(Sh sh, String as, String... reasons) throws Exception {
      var marker = home.resolve("ran");

      var ran = run(sh, List.of("touch", marker.toString()));

      assertThat(ran.code).as("%s, said %s", as, ran.err()).isEqualTo(126);
      assertThat(ran.err())
          .as(as)
          .isIn(
              (Object[])
                  Arrays.stream(reasons)
                      .map(reason -> "mesh-grant " + TOKEN + " " + reason + "\n")
                      .toArray(String[]::new));
      assertThat(ran.out()).as(as).isEmpty();
      assertThat(marker).as(as).doesNotExist();
    }

    private Ran run(Sh sh, List<String> argv) throws Exception {
      return Ran.of(start(sh, argv, Map.of()));
    }

    private Process start(Sh sh, List<String> argv, Map<String, String> environment)
        throws IOException {
      var command = Command.of(argv, new SandboxPath(project.toString()), PATIENCE);
      var wrapped = new Grant(new SandboxPath(grant.toString()), TOKEN).wrap(command).argv();
      return process(in(sh, wrapped), environment);
    }
  }

  /** {@code grant-folder.sh} */
  @Nested
  class TheFolder {

    private static final String LIVING = "00000000-0000-7000-8000-000000000002";
    private static final String DEAD = "00000000-0000-7000-8000-000000000003";

    @ParameterizedTest
    @EnumSource(Sh.class)
    void isMadeForItsUserAlone(Sh sh) throws Exception {
      var ran = prepare(sh);

      assertThat(ran.code).as(ran.err()).isZero();
      assertThat(ran.out()).isEqualTo("0\n");
      assertThat(mode(all)).isEqualTo("rwx------");
      assertThat(mode(part)).isEqualTo("rwx------");
      assertThat(prepare(sh).code).as("again").isZero();
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void isClosedIfItWasOpen(Sh sh) throws Exception {
      Files.createDirectories(part);
      Files.setPosixFilePermissions(all, PosixFilePermissions.fromString("rwxrwxrwx"));
      Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));

      assertThat(prepare(sh).code).isZero();

      assertThat(mode(all)).isEqualTo("rwx------");
      assertThat(mode(part)).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void isRefusedIfSomethingElseIsInItsPlace(Sh sh) throws Exception {
      var target = Files.createDirectory(home.resolve("target"));
      for (var place : List.of(all, part)) {
        Files.createDirectories(place.getParent());
        for (UnaryOperator<Path> obstacle :
            List.<UnaryOperator<Path>>of(
                at -> link(at, target),
                at -> link(at, home.resolve("nowhere")),
                GrantScriptsTest::file,
                GrantScriptsTest::pipe)) {
          var _ = obstacle.apply(place);

          var ran = prepare(sh);

          assertThat(ran.code).as("%s, %s", place, ran.err()).isEqualTo(3);
          assertThat(Files.exists(place, LinkOption.NOFOLLOW_LINKS)).isTrue();
          Files.delete(place);
        }
      }
      assertThat(target).isEmptyDirectory();
      assertThat(home.resolve("nowhere")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void isRefusedInsideTheProject(Sh sh) throws Exception {
      assertThat(prepare(sh, project.resolve(".mesh-grants"), project).code).isEqualTo(3);
      assertThat(prepare(sh, all, home).code).isEqualTo(3);

      var byLink = link(home.resolve("by-link"), home);
      assertThat(prepare(sh, all, byLink).code).as("the project by a link").isEqualTo(3);
      assertThat(prepare(sh, byLink.resolve("project/.mesh-grants"), project).code)
          .as("the folder by a link")
          .isEqualTo(3);
      var beside = Files.createDirectory(home.resolve(".mesh"));
      assertThat(prepare(sh, all, beside).code).as("a name that begins the same").isZero();
    }

    @ParameterizedTest
    @EnumSource(Sh.class)
    void losesThePartsOfDeadInstancesOnly(Sh sh) throws Exception {
      var outside = file(home.resolve("outside"));
      for (var instance : List.of(INSTANCE.toString(), LIVING, DEAD)) {
        Files.createDirectories(all.resolve(instance).resolve("deep"));
        file(all.resolve(instance).resolve("grant"));
        link(all.resolve(instance).resolve("deep/link"), home);
      }
      file(all.resolve("a b"));
      file(all.resolve("-rf"));
      file(all.resolve("line\nbreak"));
      link(all.resolve("to-outside"), outside);
      link(all.resolve("to-home"), home);

      var ran = prepare(sh, all, project, INSTANCE.toString(), LIVING);

      assertThat(ran.code).as(ran.err()).isZero();
      assertThat(ran.out()).isEqualTo("1\n");
      try (var left = Files.list(all)) {
        assertThat(left).containsExactlyInAnyOrder(part, all.resolve(LIVING));
      }
      assertThat(part.resolve("grant")).exists();
      assertThat(all.resolve(LIVING).resolve("grant")).exists();
      assertThat(outside).exists();
      assertThat(project).exists();

      assertThat(prepare(sh, all, project, INSTANCE.toString()).out()).isEqualTo("0\n");
      assertThat(all.resolve(LIVING)).doesNotExist();
    }

    private Ran prepare(Sh sh) throws Exception {
      return prepare(sh, all, project, INSTANCE.toString());
    }

    private Ran prepare(Sh sh, Path folder, Path inProject, String... living) throws Exception {
      var argv =
          new ArrayList<>(
              List.of(
                  "/bin/sh",
                  "-c",
                  SandboxScript.FOLDER.text(),
                  "mesh",
                  folder.toString(),
                  INSTANCE.toString(),
                  inProject.toString()));
      argv.addAll(List.of(living));
      if (living.length == 0) {
        argv.add(INSTANCE.toString());
      }
      return Ran.of(process(in(sh, argv), Map.of()));
    }
  }

  // how tests say it

  /** Variables that a shell sets by itself, whatever it runs. */
  private static final List<String> SHELLS_OWN = List.of("PWD", "OLDPWD", "SHLVL", "_");

  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "a b",
          "$HOME",
          "$(touch pwned)",
          "`touch pwned`",
          "'",
          "''",
          "\"",
          "\\",
          "\\\\'",
          "'; touch pwned; '",
          "a'b\"c",
          "-n",
          "-e",
          "--",
          "*",
          "?",
          "~",
          "!history",
          "{a,b}",
          "#",
          "&",
          "|",
          "%s",
          "\\0",
          "\\n",
          "\n",
          "\n\n",
          "trailing\n",
          "\r\n",
          "\t",
          "\u0001",
          "\u007f",
          "\u001b[0m",
          "é☕😀",
          "e\u0301",
          "\u0080\u0081\u0088\u009f",
          "\ufeff",
          "\uffff",
          "=",
          "A=B",
          "x".repeat(20_000));

  private static String text(Random random) {
    var text = new StringBuilder();
    int length = random.nextInt(1, 40);
    while (text.length() < length) {
      int code =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(1, 0x20);
            case 1 -> "'\"\\$`\n ".charAt(random.nextInt(7));
            case 2 -> random.nextInt(0x20, 0x100);
            default -> random.nextInt(0x100, 0x110000);
          };
      if (code < 0xd800 || code > 0xdfff) {
        text.appendCodePoint(code);
      }
    }
    return text.toString();
  }

  /** The same argv with another shell. */
  private static List<String> in(Sh sh, List<String> argv) {
    assertThat(argv.getFirst()).isEqualTo("/bin/sh");
    var own = new ArrayList<>(sh.program());
    own.addAll(argv.subList(1, argv.size()));
    return own;
  }

  private Process process(List<String> argv, Map<String, String> environment) throws IOException {
    var builder = new ProcessBuilder(argv).directory(project.toFile());
    // Of folders that everybody may look into: a shell says something else of the others.
    builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static Map<String, String> environment(Ran ran) {
    var environment = new TreeMap<String, String>();
    for (var record : ran.records()) {
      int equals = record.indexOf('=');
      environment.put(record.substring(0, equals), record.substring(equals + 1));
    }
    return environment;
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static Path link(Path at, Path target) {
    try {
      return Files.createSymbolicLink(at, target);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Path file(Path at) {
    try {
      return Files.writeString(at, "x");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Path pipe(Path at) {
    try {
      assertThat(new ProcessBuilder("mkfifo", at.toString()).start().waitFor()).isZero();
      return at;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a process did. */
  private static final class Ran {

    final int code;
    private final byte[] stdout;
    private final byte[] stderr;

    private Ran(int code, byte[] stdout, byte[] stderr) {
      this.code = code;
      this.stdout = stdout;
      this.stderr = stderr;
    }

    static Ran of(Process process) throws Exception {
      process.getOutputStream().close();
      var err =
          new java.util.concurrent.FutureTask<>(() -> process.getErrorStream().readAllBytes());
      Thread.ofVirtual().start(err);
      var out =
          new java.util.concurrent.FutureTask<>(() -> process.getInputStream().readAllBytes());
      Thread.ofVirtual().start(out);
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("it did not end");
      }
      return new Ran(process.exitValue(), out.get(), err.get());
    }

    String out() {
      return new String(stdout, UTF_8);
    }

    String err() {
      return new String(stderr, UTF_8);
    }

    /** Each ended by a NUL. */
    List<String> records() {
      var records = new ArrayList<String>();
      int start = 0;
      for (int i = 0; i < stdout.length; i++) {
        if (stdout[i] == 0) {
          records.add(new String(stdout, start, i - start, UTF_8));
          start = i + 1;
        }
      }
      assertThat(start).isEqualTo(stdout.length);
      return records;
    }
  }
}
