package mesh.simulator.sprites;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import mesh.simulator.http.Response;

/** Checkpoints: an error comes inside a stream whose status is 200, as the vendor's does. */
final class CheckpointCalls {

  private static final String LINES = "application/x-ndjson";

  private final Settings settings;

  CheckpointCalls(Settings settings) {
    this.settings = settings;
  }

  Response create(Sprite sprite, byte[] body) {
    var comment = Json.object(body).map(it -> it.path("comment").asString("")).orElse("");
    return Response.streamed(
        LINES,
        out -> {
          out.write(line("info", "data", "Creating checkpoint..."));
          try {
            var _ = sprite.machine();
            var taken = sprite.checkpoints().create(comment, settings.clock().instant());
            out.write(line("info", "data", "ID: " + taken.id()));
            out.write(
                line("complete", "data", "Checkpoint " + taken.id() + " created successfully"));
          } catch (IOException e) {
            out.write(line("error", "error", "failed to create checkpoint: " + e.getMessage()));
          }
        });
  }

  /** All, or the one the path names. */
  Response list(Call call, Sprite sprite) {
    if (call.segments().size() > 4) {
      return sprite
          .checkpoints()
          .find(call.last())
          .map(checkpoint -> Json.answer(200, checkpoint.json()))
          .orElseGet(() -> missing(call.last()));
    }
    var all = sprite.checkpoints().all().stream().map(Checkpoints.Checkpoint::json).toList();
    return all.isEmpty() && settings.mode() == Mode.LIVE
        ? Response.json(200, "null")
        : Json.answer(200, all);
  }

  Response restore(Call call, Sprite sprite) {
    var id = call.segments().get(4);
    var checkpoint = sprite.checkpoints().find(id).orElse(null);
    if (checkpoint == null) {
      return missing(id);
    }
    return Response.streamed(
        LINES,
        out -> {
          out.write(line("info", "data", "Restoring checkpoint " + id + "..."));
          try {
            sprite.stop();
            sprite.checkpoints().restore(checkpoint);
            out.write(line("complete", "data", "Restore from " + id + " complete"));
          } catch (IOException e) {
            out.write(line("error", "error", "failed to restore checkpoint: " + e.getMessage()));
          }
        });
  }

  Response delete(Call call, Sprite sprite) throws IOException, InterruptedException {
    var checkpoint = sprite.checkpoints().find(call.last()).orElse(null);
    if (checkpoint == null) {
      return missing(call.last());
    }
    sprite.checkpoints().delete(checkpoint);
    return Response.empty(204);
  }

  private byte[] line(String type, String field, String text) {
    var json = new LinkedHashMap<String, Object>(Map.of("type", type));
    json.put(field, text);
    json.put("time", settings.clock().instant().toString());
    return Json.line(json);
  }

  private static Response missing(String id) {
    return Response.text(404, "checkpoint not found: " + id + "\n");
  }
}
