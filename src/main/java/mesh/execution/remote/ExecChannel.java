package mesh.execution.remote;

import java.util.List;
import mesh.execution.OutputSink.Channel;
import org.jspecify.annotations.Nullable;

/**
 * One run of the command script in a sandbox, which waits for its input. Used by one thread.
 *
 * <p>Output waits for its reader in bounded memory: a slow reader slows the command.
 */
public interface ExecChannel extends AutoCloseable {

  /** What the vendor sends while a command runs. */
  sealed interface Event {}

  /** Some output, in the order of its channel. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; copying output would buy nothing
  record Output(Channel channel, byte[] bytes) implements Event {}

  /** The script's process ended and all its output was handed over. */
  record Exited() implements Event {}

  /** Nothing more will come. */
  record Broken(String why) implements Event {}

  /** Sends all input, and then its end where the vendor can tell it. Does not wait. Called once. */
  void send(List<byte[]> input);

  /** The next event; null if none came within {@code nanos}. */
  @Nullable Event next(long nanos) throws InterruptedException;

  /** Lets go of it without waiting; what runs goes on. Idempotent. */
  @Override
  void close();
}
