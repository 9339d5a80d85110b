package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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

  /** A window of one channel, between characters. */
  ArtifactPage page(Artifact artifact, String channel, long offset, int maxBytes) {
    var out = new ByteArrayOutputStream();
    try {
      copy(artifact.id(), channel, offset, maxBytes, out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    var bytes = out.toByteArray();
    boolean last = artifact.complete() && bytes.length < maxBytes;
    int whole = last ? bytes.length : Utf8.lastBoundary(bytes, bytes.length);
    long next = offset + whole;
    boolean eof =
        artifact.complete()
            && next >= (channel.equals("stdout") ? artifact.stdoutBytes() : artifact.stderrBytes());
    return new ArtifactPage(new String(bytes, 0, whole, UTF_8), next, eof);
  }

  ArtifactWriter writer(RunId run) {
    return new ArtifactWriter(artifacts, run, ids);
  }
}
