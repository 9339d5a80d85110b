package mesh.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.activity.ActorId;
import mesh.agent.Agents;
import mesh.inference.Connection.Wire;
import mesh.outbound.Destination;
import mesh.outbound.OutboundGuard;
import mesh.web.Problem;
import org.springframework.stereotype.Service;

/** The connections to services that models are asked at, and their changes. */
@Service
public class ModelConnections {

  private final ModelRepository rows;
  private final ModelForm form;
  private final ModelBook book;
  private final OutboundGuard guard;
  private final Agents agents;

  ModelConnections(
      ModelRepository rows, ModelForm form, ModelBook book, OutboundGuard guard, Agents agents) {
    this.rows = rows;
    this.form = form;
    this.book = book;
    this.guard = guard;
    this.agents = agents;
  }

  /** Where a service of this kind is if nothing else is said. */
  public static String defaultUrl(Wire wire) {
    return ModelForm.defaultUrl(wire);
  }

  /** In alphabetical order. */
  public List<ModelSetting> all() {
    var users = agents.connected();
    return rows.all().stream()
        .map(row -> ModelSetting.of(row, users.getOrDefault(row.name(), List.of())))
        .toList();
  }

  public Optional<ModelSetting> find(String name) {
    return rows.find(name)
        .map(row -> ModelSetting.of(row, agents.connected().getOrDefault(name, List.of())));
  }

  /**
   * Makes a connection or changes it. Looks its host up in the DNS first, which may take seconds.
   *
   * @throws Problem 400 {@code model_connection_invalid} that names each field, or {@code
   *     model_key_required} if the stored key was entered for another address
   */
  public ModelSetting save(String name, ModelChange change, ActorId actor) {
    var before = rows.find(name);
    var after = form.apply(name, before.orElse(null), change);
    if (before.isEmpty() || movedOrClosed(before.get(), after)) {
      demandReachable(after);
    }
    book.save(name, change, actor);
    return find(name).orElseThrow(ModelBook::unknown);
  }

  /**
   * @throws Problem 404 {@code model_connection_unknown}, 409 {@code model_connection_used}
   */
  public void delete(String name, ActorId actor) {
    book.delete(name, actor);
  }

  private static boolean movedOrClosed(ModelRow before, ModelRow after) {
    return !before.baseUrl().equals(after.baseUrl())
        || before.allowPrivate() != after.allowPrivate();
  }

  /** Told when it is saved and not at the first run; each connection is judged anew. */
  private void demandReachable(ModelRow row) {
    guard
        .objection(Destination.of(row.baseUrl(), row.allowPrivate()))
        .ifPresent(sentence -> {
          throw Problem.badRequest("model_connection_invalid", sentence)
              .with("pointer", "/base_url")
              .with("invalid", Map.of("base_url", sentence));
        });
  }
}
