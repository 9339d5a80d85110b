package mesh.execution.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileRefusal;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.SandboxPath;

/**
 * Reads and writes files by a script each, in one round trip.
 *
 * <p>The vendor's file interface would need up to four: it knows no ranges, has no lookup that sees
 * links in the middle of a path, and names the reasons of a refusal in no dependable way.
 */
final class SandboxFiles {

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final SandboxPath ROOT = new SandboxPath("/");
  private static final Pattern SIZE = Pattern.compile("size ([0-9]+)\n");
  private static final int LONGEST_NAME = 255;
  private static final int MOST_SAID = 16 * 1024;

  private static final int LINK_OUT = 3;
  private static final int SAID = 4;
  private static final int DIRECTORY = 5;
  private static final int NOT_REGULAR = 6;
  private static final int CUT_SHORT = 7;

  private final String name;
  private final Commands commands;
  private final SandboxPath project;

  SandboxFiles(String name, Commands commands, SandboxPath project) {
    this.name = name;
    this.commands = commands;
    this.project = project;
  }

  FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
    if (offset < 0 || maxBytes < 1 || maxBytes > FileRead.MAX_BYTES) {
      throw new IllegalArgumentException("not a range: " + maxBytes + " bytes from " + offset);
    }
    if (isTooLong(path)) {
      return new FileRead.Refused(FileRefusal.NAME_TOO_LONG);
    }
    // One byte more than asked for tells whether there is more.
    var arguments =
        List.of(path.value(), fence(path), Long.toString(offset), Integer.toString(maxBytes + 1));
    var done = runToEnd(command(Script.READ, arguments), new byte[0], maxBytes + 1);
    if (done.code() == SAID && Refusals.of(done.said()).equals(Optional.of(Refusals.MISSING))) {
      return new FileRead.Absent();
    }
    return done.code() == 0
        ? content(done, offset, maxBytes)
        : new FileRead.Refused(refusal(done, "read"));
  }

  private static FileRead content(Done done, long offset, int maxBytes) {
    var size = SIZE.matcher(done.said());
    if (!size.find()) {
      throw new BackendException.Unexpected("reading a file in a sandbox left out its size", null);
    }
    boolean eof = done.bytes().length <= maxBytes;
    var bytes = eof ? done.bytes() : Arrays.copyOf(done.bytes(), maxBytes);
    long known = Long.parseLong(size.group(1));
    long reached = bytes.length == 0 ? 0 : offset + bytes.length;
    return new FileRead.Content(bytes, Math.max(known, reached), eof);
  }

  FileWrite write(SandboxPath path, byte[] content, FileMode mode) throws InterruptedException {
    if (content.length > FileWrite.MAX_BYTES) {
      return new FileWrite.Refused(FileRefusal.TOO_LARGE);
    }
    if (isTooLong(path)) {
      return new FileWrite.Refused(FileRefusal.NAME_TOO_LONG);
    }
    var octal =
        switch (mode) {
          case FileMode.Keep() -> "";
          case FileMode.Exactly exactly -> exactly.octal();
        };
    var size = Integer.toString(content.length);
    var beside = ".mesh-" + commands.unique();
    var arguments = List.of(path.value(), fence(path), octal, size, beside);
    var done = runToEnd(command(Script.WRITE, arguments), content, 0);
    return done.code() == 0
        ? new FileWrite.Written(content.length)
        : new FileWrite.Refused(refusal(done, "write"));
  }

  private static boolean isTooLong(SandboxPath path) {
    return path.value().getBytes(UTF_8).length > SandboxPath.MAX_BYTES
        || List.of(path.value().split("/")).stream()
            .anyMatch(part -> part.getBytes(UTF_8).length > LONGEST_NAME);
  }

  /** The directory that links must not lead out of; empty if the path is not inside it anyway. */
  private String fence(SandboxPath path) {
    return path.isIn(project) ? project.value() : "";
  }

  private static Command command(Script script, List<String> arguments) {
    var argv = new ArrayList<>(List.of("sh", "-c", script.text(), "mesh"));
    argv.addAll(arguments);
    return Command.of(argv, ROOT, LIMIT);
  }

  private static FileRefusal refusal(Done done, String verb) {
    return switch (done.code()) {
      case LINK_OUT -> FileRefusal.LINK_OUT_OF_PROJECT;
      case DIRECTORY -> FileRefusal.IS_A_DIRECTORY;
      case NOT_REGULAR -> FileRefusal.NOT_A_REGULAR_FILE;
      default ->
          Refusals.of(done.said())
              .map(Refusals::reason)
              .orElseThrow(() ->
                  new BackendException.Unexpected(
                      "a sandbox could not " + verb + " a file: exit " + done.code(), null));
    };
  }

  /**
   * Runs a script to its end, again if its result was lost: all of them may run twice.
   *
   * @param mostBytes of standard output to keep
   */
  Done runToEnd(Command command, byte[] stdin, int mostBytes) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      var done = new Done(mostBytes);
      var outcome = commands.run(name, command, stdin, done::collect);
      if (outcome instanceof Outcome.Exited(int code, int still) && code != CUT_SHORT) {
        done.code = code;
        return done;
      }
      if (attempt == Patience.ATTEMPTS || outcome instanceof Outcome.TimedOut) {
        throw new BackendException.Unavailable(
            commands.dialect().vendor() + " did not bring an operation on a file to its end",
            Duration.ZERO,
            null);
      }
    }
  }

  /** What a script left behind. */
  static final class Done {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final int mostBytes;
    private int code;

    private Done(int mostBytes) {
      this.mostBytes = mostBytes;
    }

    private void collect(Channel channel, ByteBuffer bytes) {
      var target = channel == Channel.STDOUT ? output : said;
      int most = channel == Channel.STDOUT ? mostBytes : MOST_SAID;
      var kept = new byte[Math.min(bytes.remaining(), most - target.size())];
      bytes.get(kept);
      target.writeBytes(kept);
    }

    int code() {
      return code;
    }

    byte[] bytes() {
      return output.toByteArray();
    }

    String said() {
      return said.toString(UTF_8);
    }
  }
}
