package mesh.workspace;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import mesh.execution.OutputSink;
import mesh.fault.FaultPoint;
import mesh.redaction.Redactions;
import mesh.tool.LiveOutput;
import org.jspecify.annotations.Nullable;

/**
 * One command's output on its way: raw bytes → redacted → clamped for the agent, kept whole in an
 * artifact once it is too long, and shown live. Memory is constant. Used by one thread.
 */
final class CommandOutput implements OutputSink {

  private final Map<Channel, ChannelOutput> channels = new EnumMap<>(Channel.class);
  private final ArtifactWriter artifact;

  CommandOutput(Redactions redactions, ArtifactWriter artifact, LiveOutput live) {
    this.artifact = artifact;
    for (var channel : Channel.values()) {
      channels.put(channel, new ChannelOutput(channel, redactions, live));
    }
  }

  @Override
  public void accept(Channel channel, ByteBuffer bytes) {
    FaultPoint.COMMAND_RUNNING.hit();
    of(channel).stream.write(bytes);
  }

  /** The command is over. */
  void end() {
    end(Redactions.Stream::end);
  }

  /** The command was cut off: what may have become a secret is not shown. */
  void cut() {
    end(Redactions.Stream::cut);
  }

  private void end(Consumer<Redactions.Stream> how) {
    channels.values().forEach(output -> output.end(how));
    if (artifact.isOpen()) {
      channels.values().forEach(ChannelOutput::keep);
      artifact.complete();
    }
  }

  String text(Channel channel) {
    return of(channel).clamp.text(artifact.whereTheWholeIs());
  }

  /** Bytes after redaction. */
  long bytes(Channel channel) {
    return of(channel).clamp.total();
  }

  boolean truncated() {
    return channels.values().stream().anyMatch(output -> !output.clamp.isWhole());
  }

  long redactions() {
    return channels.values().stream().mapToLong(output -> output.stream.count()).sum();
  }

  /** Null if nothing was too long. */
  @Nullable ArtifactId artifact() {
    return artifact.isOpen() ? artifact.id() : null;
  }

  private ChannelOutput of(Channel channel) {
    var output = channels.get(channel);
    if (output == null) {
      throw new IllegalStateException("no such channel");
    }
    return output;
  }

  private final class ChannelOutput {

    private final String name;
    private final Clamp clamp = new Clamp();
    private final LiveText text;
    private final Redactions.Stream stream;
    private boolean kept;

    ChannelOutput(Channel channel, Redactions redactions, LiveOutput live) {
      this.name = channel.name().toLowerCase(Locale.ROOT);
      this.text = new LiveText(name, live);
      this.stream = redactions.open(this::redacted);
    }

    private void redacted(ByteBuffer bytes) {
      if (!kept && clamp.total() + bytes.remaining() > 2L * Clamp.KEPT) {
        keep();
      }
      clamp.write(bytes);
      if (kept) {
        artifact.write(name, bytes);
      }
      text.write(bytes);
    }

    /** From here on all of this channel goes to the artifact, beginning with what is here. */
    private void keep() {
      if (!kept) {
        kept = true;
        artifact.write(name, ByteBuffer.wrap(clamp.whole()));
      }
    }

    private void end(Consumer<Redactions.Stream> how) {
      how.accept(stream);
      text.end();
    }
  }
}
