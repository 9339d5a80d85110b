package mesh.simulator.kubernetes;

import tools.jackson.databind.JsonNode;

/** What a pod asks for and may use. */
final class Needs {

  private Needs() {}

  /** What is asked for; what is not asked for but limited counts as asked for. */
  static Quantity requested(JsonNode pod, String resource) {
    var sum = Quantity.ZERO;
    for (var container : pod.path("spec").path("containers")) {
      var resources = container.path("resources");
      var limit = resources.path("limits").path(resource).asString("");
      var text = resources.path("requests").path(resource).asString(limit);
      sum = text.isEmpty() ? sum : sum.plus(Quantity.parse(text));
    }
    return sum;
  }

  static Quantity limited(JsonNode pod, String resource) {
    var sum = Quantity.ZERO;
    for (var container : pod.path("spec").path("containers")) {
      var text = container.path("resources").path("limits").path(resource).asString("");
      sum = text.isEmpty() ? sum : sum.plus(Quantity.parse(text));
    }
    return sum;
  }
}
