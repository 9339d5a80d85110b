package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import mesh.simulator.http.Response;
import tools.jackson.databind.node.ObjectNode;

/** Answers with many objects at once. */
final class Reads {

  private final Store store;

  Reads(Store store) {
    this.store = store;
  }

  Response list(Call call, Target target) {
    return list(call, target, store.list(target.type(), target.namespace()));
  }

  Response list(Call call, Target target, Store.Listing listing) {
    var selector = call.selector();
    var from = decoded(call.value("continue"));
    var limit = call.value("limit");
    var found =
        listing.objects().stream()
            .filter(selector::matches)
            .filter(it -> from.isEmpty() || place(it).compareTo(from) > 0)
            .toList();
    var max = limit.isEmpty() || limit.equals("0") ? found.size() : Integer.parseInt(limit);
    var page = found.subList(0, Math.min(max, found.size()));
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("resourceVersion", Long.toString(listing.version()));
    if (page.size() < found.size()) {
      metadata.put("continue", encoded(place(page.getLast())));
      metadata.put("remainingItemCount", found.size() - page.size());
    }
    return Response.json(200, Json.write(list(target.type(), metadata, page)));
  }

  static ObjectNode list(ResourceType type, Object metadata, List<ObjectNode> objects) {
    var list = new LinkedHashMap<String, Object>();
    list.put("kind", type.kind() + "List");
    list.put("apiVersion", type.apiVersion());
    list.put("metadata", metadata);
    list.put("items", objects.stream().map(Reads::asItem).toList());
    return Json.object(list);
  }

  /** The list says of all of them what they are. */
  private static ObjectNode asItem(ObjectNode object) {
    var item = Json.empty().setAll(object);
    item.remove("kind");
    item.remove("apiVersion");
    return item;
  }

  private static String place(ObjectNode object) {
    return Json.text(object, "metadata.namespace") + "/" + Json.text(object, "metadata.name");
  }

  private static String encoded(String place) {
    return Base64.getUrlEncoder().encodeToString(place.getBytes(UTF_8));
  }

  private static String decoded(String token) {
    try {
      return new String(Base64.getUrlDecoder().decode(token), UTF_8);
    } catch (IllegalArgumentException e) {
      throw Refusal.badRequest("continue key is not valid: illegal base64 data");
    }
  }
}
