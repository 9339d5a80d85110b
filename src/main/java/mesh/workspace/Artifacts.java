package mesh.workspace;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.run.RunId;
import org.springframework.stereotype.Service;

/** Output kept whole. */
@Service
public class Artifacts {

  private final ArtifactRepository artifacts;
  private final Supplier<UUID> ids;

  Artifacts(ArtifactRepository artifacts, Supplier<UUID> ids) {
    this.artifacts = artifacts;
    this.ids = ids;
  }

  public Optional<Artifact> find(ArtifactId id) {
    return artifacts.find(id);
  }

  /**
   * Copies a piece of one channel to {@code out}, in constant memory.
   *
   * @param channel {@code stdout} or {@code stderr}
   * @param offset in bytes, from 0
   * @param maxBytes as many bytes at most
   */
  public void copy(ArtifactId id, String channel, long offset, long maxBytes, OutputStream out)
      throws IOException {
    long at = offset;
    long left = maxBytes;
    while (left > 0) {
      var chunks = artifacts.chunks(id, channel, at, 1);
      if (chunks.isEmpty()) {
        return;
      }
      var chunk = chunks.getFirst();
      int from = (int) (at - chunk.startAt());
      int length = (int) Math.min(left, chunk.length() - from);
      out.write(chunk.bytes(), from, length);
      at += length;
      left -= length;
    }
  }

  ArtifactWriter writer(RunId run) {
    return new ArtifactWriter(artifacts, run, ids);
  }
}
