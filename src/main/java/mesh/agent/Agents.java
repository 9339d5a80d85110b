package mesh.agent;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Creates, finds, changes and deletes agents; each change is in the audit. */
@Service
public class Agents {

  private final AgentRepository rows;
  private final RuntimePins pins;
  private final AgentModels models;
  private final Activity activity;
  private final Supplier<UUID> ids;

  Agents(
      AgentRepository rows,
      RuntimePins pins,
      AgentModels models,
      Activity activity,
      Supplier<UUID> ids) {
    this.rows = rows;
    this.pins = pins;
    this.models = models;
    this.activity = activity;
    this.ids = ids;
  }

  /**
   * @throws Problem 409 {@code agent_slug_taken} or {@code runtime_not_enabled}; 400 {@code
   *     agent_invalid} for a model that cannot be used
   */
  @Transactional
  public Agent create(AgentDraft draft, ActorId actor) {
    demandEnabled(draft.runtimeBackend());
    models.demandUsable(draft.model());
    AgentId id = new AgentId(ids.get());
    if (!rows.insert(id, draft, models.connection(draft.model()))) {
      throw Problem.conflict(
          "agent_slug_taken", "There is an agent %s already.".formatted(draft.slug()));
    }
    activity.record(Entry.of(actor, "agent.created").agent(id.value()).after(draft));
    return rows.find(id).orElseThrow();
  }

  /** Also one that was deleted: its runs still tell of it. */
  public Optional<Agent> find(AgentId id) {
    return rows.find(id);
  }

  public Optional<Agent> find(String slug) {
    return rows.find(slug);
  }

  /**
   * @throws Problem 404 {@code agent_unknown}
   */
  public Agent get(String slug) {
    return rows.find(slug).orElseThrow(() -> unknown(slug));
  }

  /** The first page if no cursor is given. */
  public Page<Agent> newest(@Nullable Cursor cursor, Limit limit) {
    return Page.of(
        rows.newest(cursor, limit.toFetch()),
        limit,
        agent -> Cursor.after(agent.createdAt(), agent.id().value()));
  }

  /**
   * Changes an agent. A change that changes nothing leaves no trace.
   *
   * @param change called twice; keeps the slug
   * @throws Problem 404 {@code agent_unknown}, 409 {@code runtime_not_enabled}; 400 {@code
   *     agent_invalid} for a model that cannot be used
   */
  @Transactional
  public Agent update(String slug, UnaryOperator<AgentDraft> change, ActorId actor) {
    AgentDraft seen = get(slug).terms();
    AgentDraft proposed = change.apply(seen);
    String wanted = proposed.runtimeBackend();
    if (wanted != null && !wanted.equals(seen.runtimeBackend())) {
      // Before the agent's own lock: who disables a backend takes the two in this order.
      demandEnabled(wanted);
    }
    if (!proposed.model().equals(seen.model())) {
      models.demandUsable(proposed.model());
    }
    Agent before = rows.lock(slug).orElseThrow(() -> unknown(slug));
    AgentDraft after = change.apply(before.terms());
    if (!after.slug().equals(slug)) {
      throw new IllegalArgumentException("a slug is for ever");
    }
    if (after.equals(before.terms())) {
      return before;
    }
    rows.update(before.id(), after, models.connection(after.model()));
    activity.record(
        Entry.of(actor, "agent.updated")
            .agent(before.id().value())
            .before(before.terms())
            .after(after));
    return rows.find(before.id()).orElseThrow();
  }

  /**
   * Deletes an agent: it starts no more runs, and its slug is free again.
   *
   * @throws Problem 404 {@code agent_unknown}
   */
  @Transactional
  public void delete(String slug, ActorId actor) {
    Agent agent = rows.lock(slug).orElseThrow(() -> unknown(slug));
    rows.delete(agent.id());
    activity.record(
        Entry.of(actor, "agent.deleted").agent(agent.id().value()).before(agent.terms()));
  }

  /** Slugs of the agents that are pinned, by backend and in alphabetical order. */
  public Map<String, List<String>> pinned() {
    return rows.pinned().stream()
        .collect(
            groupingBy(
                AgentRepository.Pinned::backend, mapping(AgentRepository.Pinned::slug, toList())));
  }

  /**
   * Lets every agent that is pinned to a backend use any again; to be called in the transaction
   * that disables the backend, which has locked its row.
   *
   * @return their slugs
   */
  @Transactional
  public List<String> clearPins(String backend, ActorId actor) {
    List<AgentRepository.Unpinned> cleared = rows.clearPins(backend);
    for (AgentRepository.Unpinned agent : cleared) {
      activity.record(Entry.of(actor, "agent.unpinned").agent(agent.id()).connection(backend));
    }
    return cleared.stream().map(AgentRepository.Unpinned::slug).toList();
  }

  /** Slugs of the agents whose model is at a connection, by its name, in alphabetical order. */
  public Map<String, List<String>> connected() {
    return rows.connected().stream()
        .collect(
            groupingBy(
                AgentRepository.Connected::connection,
                mapping(AgentRepository.Connected::slug, toList())));
  }

  private void demandEnabled(@Nullable String backend) {
    if (backend != null && !pins.isEnabled(backend)) {
      throw Problem.conflict(
              "runtime_not_enabled",
              "Runtime %s is not enabled: enable it under Settings, or choose another."
                  .formatted(backend))
          .with("runtime", backend);
    }
  }

  private static Problem unknown(String slug) {
    return Problem.notFound("agent_unknown", "There is no agent %s.".formatted(slug));
  }
}
