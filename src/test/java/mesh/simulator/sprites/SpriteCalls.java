package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import mesh.simulator.http.Response;
import tools.jackson.databind.JsonNode;

/** Create, get, list, update and delete: the calls that do not wake a sprite. */
final class SpriteCalls {

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  private final Inventory inventory;
  private final Supplier<InstantSource> clock;

  SpriteCalls(Inventory inventory, Supplier<InstantSource> clock) {
    this.inventory = inventory;
    this.clock = clock;
  }

  Response create(byte[] body) {
    var json = Json.object(body);
    var name = json.map(it -> it.path("name").asString("")).orElse("");
    if (!NAME.matcher(name).matches()) {
      return Json.error(400, "invalid sprite name");
    }
    return inventory
        .create(name, clock.get().instant())
        .map(sprite -> {
          json.ifPresent(it -> label(sprite, it));
          return Json.answer(201, sprite.json(url(sprite)));
        })
        .orElseGet(() -> Json.error(400, "name already exists"));
  }

  Response get(Sprite sprite) {
    return Json.answer(200, sprite.json(url(sprite)));
  }

  Response update(Sprite sprite, byte[] body) {
    return Json.object(body)
        .map(json -> {
          label(sprite, json);
          return get(sprite);
        })
        .orElseGet(() -> Json.error(400, "invalid request body"));
  }

  Response delete(Sprite sprite) throws IOException, InterruptedException {
    return inventory.delete(sprite, clock.get().instant())
        ? Response.empty(204)
        : Json.error(404, "sprite not found");
  }

  /** One page of {@link Inventory#all}. */
  Response list(Call call) {
    return page(call, inventory.all());
  }

  /** One page of how it was then. */
  Response list(Call call, Instant then) {
    return page(call, inventory.asOf(then));
  }

  private Response page(Call call, List<Sprite> all) {
    var prefix = call.query().first("prefix").orElse("");
    var size = call.query().first("max_results").map(SpriteCalls::size).orElse(50);
    if (size < 1 || size > 500) {
      return Json.error(400, "max_results must be between 1 and 500");
    }
    var after = call.query().first("continuation_token").map(SpriteCalls::decoded).orElse("");
    var rest =
        all.stream()
            .filter(sprite -> sprite.name().startsWith(prefix))
            .filter(sprite -> sprite.name().compareTo(after) > 0)
            .toList();
    var page = rest.stream().limit(size).toList();
    var more = rest.size() > page.size();
    var json = new LinkedHashMap<String, Object>();
    json.put("sprites", page.stream().map(sprite -> sprite.json(url(sprite))).toList());
    json.put("has_more", more);
    json.put("next_continuation_token", more ? encoded(page.getLast().name()) : null);
    json.put("name", "simulated");
    return Json.answer(200, json);
  }

  private static void label(Sprite sprite, JsonNode json) {
    if (json.path("labels").isArray()) {
      sprite.labels(json.path("labels").valueStream().map(JsonNode::asString).toList());
    }
  }

  private static String url(Sprite sprite) {
    return "https://" + sprite.name() + "-simulated.sprites.invalid";
  }

  private static int size(String text) {
    return text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
  }

  private static String encoded(String name) {
    return Base64.getUrlEncoder().encodeToString(name.getBytes(UTF_8));
  }

  private static String decoded(String token) {
    return new String(Base64.getUrlDecoder().decode(token), UTF_8);
  }
}
