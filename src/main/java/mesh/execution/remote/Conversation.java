package mesh.execution.remote;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.OutputSink.Channel;

/**
 * What is heard on one channel from the start of a command to its end.
 *
 * <p>The command's own output is complete when its report was read on both streams, and only then
 * is its exit status believed: the vendor has lost the tail of output and said 0.
 */
final class Conversation {

  /** What ended the listening. */
  sealed interface End {}

  /** The command ended and all its own output was handed on. */
  record Over(ReportFilter.Report report) implements End {}

  /** The deadline passed; the command still runs. */
  record Late() implements End {}

  record Lost(String why) implements End {}

  private final ExecChannel channel;
  private final Map<Channel, ReportFilter> filters = new EnumMap<>(Channel.class);
  private long inSink;

  Conversation(ExecChannel channel, String token, OutputSink sink) {
    this.channel = channel;
    for (var stream : Channel.values()) {
      filters.put(
          stream,
          new ReportFilter(
              token,
              bytes -> {
                long before = System.nanoTime();
                sink.accept(stream, bytes);
                inSink += System.nanoTime() - before;
              }));
    }
  }

  /**
   * Hands output on until the command ended, the connection was lost or the deadline passed.
   *
   * @param deadline by {@link System#nanoTime}
   */
  End until(long deadline) throws InterruptedException {
    while (report().isEmpty()) {
      long left = deadline - System.nanoTime();
      var event = left > 0 ? channel.next(left) : null;
      switch (event) {
        case null -> {
          return new Late();
        }
        case ExecChannel.Output output -> accept(output);
        case ExecChannel.Exited() -> {
          flush();
          return new Lost("it ended without a report");
        }
        case ExecChannel.Broken(var why) -> {
          flush();
          return new Lost(why);
        }
      }
    }
    return new Over(report().orElseThrow());
  }

  /** Hears out what was left in the background, and says what the report means. */
  Outcome finish(ReportFilter.Report report) throws InterruptedException {
    return switch (report) {
      case ReportFilter.NoDirectory() -> new Outcome.NoSuchDirectory();
      case ReportFilter.Overdue() -> new Outcome.TimedOut();
      case ReportFilter.Ended(int status, int still) -> {
        if (still > 0) {
          drain(Command.DRAIN);
        }
        yield Outcome.ofStatus(status, still);
      }
    };
  }

  /**
   * Hands on what else is printed until there can be no more, nothing came in {@link
   * Command#DRAIN}, not counting time in the sink, or it took too long.
   */
  void drain(Duration longest) throws InterruptedException {
    long start = System.nanoTime();
    long before = inSink;
    while (true) {
      long gone = System.nanoTime() - start;
      long idle = gone - (inSink - before);
      long left = Math.min(longest.toNanos() - gone, Command.DRAIN.toNanos() - idle);
      if (left <= 0 || !(channel.next(left) instanceof ExecChannel.Output output)) {
        break;
      }
      accept(output);
    }
    flush();
  }

  private void accept(ExecChannel.Output output) {
    filterOf(output.channel()).accept(output.bytes());
  }

  private ReportFilter filterOf(Channel channel) {
    return Objects.requireNonNull(filters.get(channel));
  }

  private void flush() {
    filters.values().forEach(ReportFilter::flush);
  }

  /** Present once both streams have it. */
  private Optional<ReportFilter.Report> report() {
    return filterOf(Channel.STDOUT).report().flatMap(same -> filterOf(Channel.STDERR).report());
  }
}
