package mesh.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.agent.Agents;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Writes connections, each change with its entry in the audit, which tells no key. */
@Component
class ModelBook {

  private final ModelRepository rows;
  private final ModelForm form;
  private final Agents agents;
  private final Activity activity;

  ModelBook(ModelRepository rows, ModelForm form, Agents agents, Activity activity) {
    this.rows = rows;
    this.form = form;
    this.agents = agents;
    this.activity = activity;
  }

  /** A change that changes nothing leaves no trace. */
  @Transactional
  void save(String name, ModelChange change, ActorId actor) {
    var before = rows.lock(name);
    var after = form.apply(name, before.orElse(null), change);
    if (before.equals(Optional.of(after))) {
      return;
    }
    if (before.isPresent()) {
      rows.update(after, actor);
    } else if (!rows.insert(after, actor)) {
      throw Problem.conflict(
          "model_connection_changed", "Somebody else has just made this connection: look again.");
    }
    var entry =
        Entry.of(
                actor, before.isPresent() ? "model_connection.changed" : "model_connection.created")
            .connection(name)
            .after(told(after, before.orElse(null)));
    activity.record(before.map(it -> entry.before(told(it, it))).orElse(entry));
  }

  /**
   * @throws Problem 404, or 409 with the slugs of the agents whose model is there
   */
  @Transactional
  void delete(String name, ActorId actor) {
    var row = rows.lock(name).orElseThrow(ModelBook::unknown);
    var users = agents.connected().getOrDefault(name, List.of());
    if (!users.isEmpty()) {
      throw Problem.conflict(
              "model_connection_used",
              "The models of %s are asked at %s: give them another first."
                  .formatted(String.join(", ", users), name))
          .with("agents", users);
    }
    rows.delete(name);
    activity.record(
        Entry.of(actor, "model_connection.deleted").connection(name).before(told(row, row)));
  }

  static Problem unknown() {
    return Problem.notFound(
        "model_connection_unknown", "There is no connection of that name: see Settings, Models.");
  }

  private static Map<String, Object> told(ModelRow row, @Nullable ModelRow before) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("wire", ModelRepository.word(row.wire()));
    told.put("base_url", row.baseUrl());
    told.put("key", Map.of("set", row.key() != null));
    told.put("allow_private", row.allowPrivate());
    told.put("prices", row.prices());
    boolean entered =
        row.key() != null && !Objects.equals(row.key(), before == null ? null : before.key());
    if (entered) {
      told.put("entered", List.of("key"));
    }
    return told;
  }
}
