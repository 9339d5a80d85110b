package mesh.workspace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.run.RunId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Writes one artifact in chunks, each committed by itself. The row is made with the first byte, so
 * a command whose output fits makes none. When the database fails the command goes on and the
 * artifact stays marked incomplete. Used by one thread.
 */
final class ArtifactWriter {

  private static final Logger log = LoggerFactory.getLogger(ArtifactWriter.class);

  /** Uncompressed bytes of a full chunk. */
  static final int CHUNK = 256 * 1024;

  private final ArtifactRepository artifacts;
  private final RunId run;
  private final Supplier<UUID> ids;
  private final Map<String, Part> parts = new HashMap<>();
  private ArtifactId id = new ArtifactId(new UUID(0, 0));
  private boolean open;
  private boolean broken;

  ArtifactWriter(ArtifactRepository artifacts, RunId run, Supplier<UUID> ids) {
    this.artifacts = artifacts;
    this.run = run;
    this.ids = ids;
  }

  boolean isOpen() {
    return open;
  }

  ArtifactId id() {
    return id;
  }

  String whereTheWholeIs() {
    return broken ? "the whole output could not be kept" : "whole output in artifact " + id.value();
  }

  void write(String channel, ByteBuffer bytes) {
    if (!open) {
      open = true;
      id = new ArtifactId(ids.get());
      attempt(() -> artifacts.insert(id, run));
    }
    var part = parts.computeIfAbsent(channel, _ -> new Part());
    var input = bytes.duplicate();
    while (input.hasRemaining() && !broken) {
      part.fill(input);
      if (part.isFull()) {
        flush(channel, part);
      }
    }
  }

  void complete() {
    parts.forEach(this::flush);
    attempt(() -> artifacts.complete(id, length("stdout"), length("stderr")));
  }

  private long length(String channel) {
    var part = parts.get(channel);
    return part == null ? 0 : part.start;
  }

  private void flush(String channel, Part part) {
    if (part.filled > 0) {
      attempt(() ->
          artifacts.insertChunk(
              id, channel, part.start, part.filled, Gzip.pack(part.buffer, part.filled)));
      part.start += part.filled;
      part.filled = 0;
    }
  }

  private void attempt(Runnable write) {
    if (broken) {
      return;
    }
    try {
      write.run();
    } catch (DataAccessException e) {
      broken = true;
      log.atWarn()
          .setCause(e)
          .addKeyValue("run", run)
          .addKeyValue("artifact", id)
          .log("artifact not kept");
    }
  }

  private static final class Part {
    private final byte[] buffer = new byte[CHUNK];
    private int filled;
    private long start;

    void fill(ByteBuffer input) {
      int length = Math.min(input.remaining(), CHUNK - filled);
      input.get(buffer, filled, length);
      filled += length;
    }

    boolean isFull() {
      return filled == CHUNK;
    }
  }

  /** Compression of one chunk: fast rather than small. */
  static final class Gzip {

    private Gzip() {}

    static byte[] pack(byte[] bytes, int length) {
      var deflater = new java.util.zip.Deflater(java.util.zip.Deflater.BEST_SPEED);
      try {
        deflater.setInput(bytes, 0, length);
        deflater.finish();
        var out = new ByteArrayOutputStream(length / 4 + 64);
        var piece = new byte[16 * 1024];
        while (!deflater.finished()) {
          out.write(piece, 0, deflater.deflate(piece));
        }
        return out.toByteArray();
      } finally {
        deflater.end();
      }
    }

    static byte[] unpack(byte[] packed, int length) {
      var inflater = new java.util.zip.Inflater();
      try {
        inflater.setInput(packed);
        var bytes = new byte[length];
        int filled = 0;
        while (filled < length && !inflater.finished()) {
          filled += inflater.inflate(bytes, filled, length - filled);
        }
        return bytes;
      } catch (java.util.zip.DataFormatException e) {
        throw new IllegalStateException("a stored chunk is damaged", e);
      } finally {
        inflater.end();
      }
    }
  }
}
