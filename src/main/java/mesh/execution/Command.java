package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A command to run, as an argument vector that no layer parses again.
 *
 * <p>There is deliberately no environment: some vendors carry it in a URL they log. Credentials
 * reach a command through a file (see {@code mesh.workspace}).
 */
public final class Command {

  /** Most bytes of all arguments together, each with its terminating NUL: 128 KiB. */
  public static final int MAX_ARGV_BYTES = 128 * 1024;

  /** Most arguments. */
  public static final int MAX_ARGUMENTS = 4096;

  /** Most bytes of standard input: 1 MiB. */
  public static final int MAX_STDIN_BYTES = 1024 * 1024;

  /** Longest timeout: one hour. */
  public static final Duration MAX_TIMEOUT = Duration.ofHours(1);

  /** How long output is collected after the leader exited while a child still holds a pipe. */
  public static final Duration DRAIN = Duration.ofSeconds(1);

  private final List<String> argv;
  private final int wrapping;
  private final SandboxPath directory;
  private final Duration timeout;
  private final byte[] stdin;

  private Command(
      List<String> argv, int wrapping, SandboxPath directory, Duration timeout, byte[] stdin) {
    this.argv = List.copyOf(argv);
    this.wrapping = wrapping;
    this.directory = directory;
    this.timeout = timeout;
    this.stdin = stdin;
    check();
  }

  /**
   * A command whose standard input is closed: it reads end of file at once.
   *
   * @param argv program and arguments; the program is looked up in the sandbox's {@code PATH}
   * @param directory working directory
   * @param timeout wall-clock limit after which the process tree is killed; positive, at most
   *     {@link #MAX_TIMEOUT}
   * @throws IllegalArgumentException if argv is empty, its program is the empty string, an argument
   *     holds a NUL or cannot be written as UTF-8, or a limit is exceeded
   */
  public static Command of(List<String> argv, SandboxPath directory, Duration timeout) {
    return new Command(argv, 0, directory, timeout, new byte[0]);
  }

  /** The same command, fed {@code bytes} and then end of file. */
  public Command withStdin(byte[] bytes) {
    return new Command(argv, wrapping, directory, timeout, bytes.clone());
  }

  /**
   * The same command in a wrapper that ends with its arguments. What the wrapper adds does not
   * count against the limits: nobody who wrote the command knows of it.
   */
  public Command in(List<String> wrapper) {
    var wrapped = new ArrayList<>(wrapper);
    wrapped.addAll(argv);
    return new Command(wrapped, wrapper.size(), directory, timeout, stdin);
  }

  public List<String> argv() {
    return argv;
  }

  public SandboxPath directory() {
    return directory;
  }

  public Duration timeout() {
    return timeout;
  }

  /** Empty if standard input is closed. */
  public byte[] stdin() {
    return stdin.clone();
  }

  private void check() {
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      throw new IllegalArgumentException("argv is empty: it must name a program");
    }
    var own = argv.subList(wrapping, argv.size());
    if (own.size() > MAX_ARGUMENTS) {
      throw new IllegalArgumentException(
          "argv has " + own.size() + " arguments, more than " + MAX_ARGUMENTS);
    }
    long bytes = 0;
    for (var argument : own) {
      if (argument.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("argv holds a NUL character");
      }
      if (!UTF_8.newEncoder().canEncode(argument)) {
        throw new IllegalArgumentException("argv holds half of a surrogate pair");
      }
      bytes += argument.getBytes(UTF_8).length + 1L;
    }
    if (bytes > MAX_ARGV_BYTES) {
      throw new IllegalArgumentException(
          "argv is "
              + bytes
              + " bytes, more than "
              + MAX_ARGV_BYTES
              + ": write a file and run that");
    }
    if (stdin.length > MAX_STDIN_BYTES) {
      throw new IllegalArgumentException(
          "stdin is " + stdin.length + " bytes, more than " + MAX_STDIN_BYTES + ": write a file");
    }
    if (!timeout.isPositive() || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException("timeout must be over 0 and at most 1 h: " + timeout);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Command it
        && argv.equals(it.argv)
        && directory.equals(it.directory)
        && timeout.equals(it.timeout)
        && Arrays.equals(stdin, it.stdin);
  }

  @Override
  public int hashCode() {
    return argv.hashCode();
  }

  /** Without arguments or input: both may hold what a log must not. */
  @Override
  public String toString() {
    return "Command[" + argv.size() + " arguments in " + directory.value() + ", " + timeout + "]";
  }
}
