package mesh.execution.remote;

import java.time.Duration;
import java.util.Optional;

/**
 * How one vendor is spoken of, and what its exec channels can do.
 *
 * @param vendor its name in messages, such as {@code Fly Sprites}
 * @param sandbox what it calls a sandbox, such as {@code sprite}
 * @param margin how long after its timeout a command is ended by the sandbox itself, in case Mesh
 *     stands still; empty where the vendor ends the whole sandbox by itself
 * @param endsInput whether the end of a command's input can be told while its output is still to
 *     come; where not, the script counts
 */
public record Dialect(
    String vendor, String sandbox, Optional<Duration> margin, boolean endsInput) {}
