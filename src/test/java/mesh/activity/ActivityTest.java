package mesh.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mesh.database.TestDatabase;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

class ActivityTest {

  private static final TestDatabase database = TestDatabase.fresh();
  private static final TransactionTemplate transactions = database.transactions();
  private static final JsonMapper json = JsonMapper.builder().build();

  private final Activity activity = new Activity(new ActivityRepository(database.jdbc(), json));
  private final Actors actors = new Actors(new ActorRepository(database.jdbc()), UUID::randomUUID);

  private ActorId actor;

  @BeforeEach
  void addActor() {
    actor = actors.addUser("user " + UUID.randomUUID());
  }

  @Test
  void anEntryIsRecordedInTheTransactionOfItsChange() {
    record(
        Entry.of(actor, "runtime.enabled")
            .connection("sprites")
            .before(Map.of("enabled", false))
            .after(Map.of("enabled", true)));

    Recorded entry = only();
    assertThat(entry.actor()).isEqualTo(actors.name(actor).orElseThrow());
    assertThat(entry.action()).isEqualTo("runtime.enabled");
    assertThat(entry.connection()).isEqualTo("sprites");
    assertThat(entry.before()).isEqualTo("{\"enabled\":false}");
    assertThat(entry.after()).isEqualTo("{\"enabled\":true}");
    assertThat(entry.agent()).isNull();
    assertThat(entry.run()).isNull();
  }

  @Test
  void withoutATransactionNothingIsRecorded() {
    Entry entry = Entry.of(actor, "runtime.enabled");

    assertThatThrownBy(() -> activity.record(entry))
        .isInstanceOf(IllegalTransactionStateException.class);
    assertThat(mine().rows()).isEmpty();
  }

  @Test
  void aChangeThatIsRolledBackLeavesNoEntry() {
    transactions.executeWithoutResult(status -> {
      activity.record(Entry.of(actor, "runtime.enabled"));
      status.setRollbackOnly();
    });

    assertThat(mine().rows()).isEmpty();
  }

  @Test
  void aValueThatJacksonMustNotWriteStopsTheChange() {
    Object secret = new Unwritable();

    assertThatThrownBy(() -> record(Entry.of(actor, "secret.set").after(secret)));
    assertThat(mine().rows()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"enabled", "Runtime.enabled", "runtime.", "runtime enabled", ""})
  void anActionIsNounAndVerb(String action) {
    assertThatThrownBy(() -> Entry.of(actor, action)).isInstanceOf(IllegalArgumentException.class);
  }

  @Nested
  class WhatWasWritten {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "update activity set action = 'other.done'",
          "delete from activity",
          "truncate activity",
          "truncate activity cascade"
        })
    void staysAsItIs(String statement) {
      record(Entry.of(actor, "runtime.enabled"));

      assertThatThrownBy(() -> database.jdbc().sql(statement).update())
          .isInstanceOf(DataAccessException.class)
          .hasMessageContaining("not allowed");
      assertThat(only().action()).isEqualTo("runtime.enabled");
    }
  }

  @Nested
  class Lists {

    @Test
    void areNewestFirstAndPaged() {
      for (String action : new String[] {"a.one", "a.two", "a.three"}) {
        record(Entry.of(actor, action));
      }

      var first = activity.newest(by(null), new Limit(2));
      var second = activity.newest(by(first.next().orElseThrow()), new Limit(2));

      assertThat(first.rows()).extracting(Recorded::action).containsExactly("a.three", "a.two");
      assertThat(second.rows()).extracting(Recorded::action).containsExactly("a.one");
      assertThat(second.next()).isEmpty();
    }

    @Test
    void areFilteredByEachOfTheirColumns() {
      UUID agent = agent();
      UUID run = run(agent);
      record(Entry.of(actor, "token.created"));
      record(Entry.of(actor, "token.revoked").agent(agent));
      record(Entry.of(actor, "tokens.counted").agent(agent).run(run));

      assertThat(actions(new ActivityFilter(agent.toString(), null, null, null, null, null)))
          .containsExactly("tokens.counted", "token.revoked");
      assertThat(actions(new ActivityFilter("agent-" + agent, null, null, null, null, null)))
          .containsExactly("tokens.counted", "token.revoked");
      assertThat(actions(new ActivityFilter(null, run, null, null, null, null)))
          .containsExactly("tokens.counted");
      assertThat(actions(new ActivityFilter(null, null, actor.toString(), "token", null, null)))
          .containsExactly("token.revoked", "token.created");
      assertThat(
              actions(
                  new ActivityFilter(null, null, actor.toString(), "token.created", null, null)))
          .containsExactly("token.created");
      var newest = mine().rows().getFirst();
      assertThat(actions(new ActivityFilter(null, run, null, null, newest.at(), null)))
          .containsExactly("tokens.counted");
      assertThat(
              actions(new ActivityFilter(null, run, null, null, newest.at().plusSeconds(1), null)))
          .isEmpty();
    }

    @Test
    void tellTheAgentBySlug() {
      UUID agent = agent();
      record(Entry.of(actor, "agent.created").agent(agent));

      assertThat(only().agent()).isEqualTo("agent-" + agent);
    }

    @Test
    void refuseTheCursorOfAnotherList() {
      var cursor = Cursor.after(Instant.EPOCH, UUID.randomUUID());

      assertThatThrownBy(() -> activity.newest(by(cursor), new Limit(1)))
          .isInstanceOfSatisfying(
              Problem.class, problem -> assertThat(problem.code()).isEqualTo("cursor_invalid"));
    }

    private List<String> actions(ActivityFilter filter) {
      return activity.newest(filter, new Limit(50)).rows().stream().map(Recorded::action).toList();
    }
  }

  private void record(Entry entry) {
    transactions.executeWithoutResult(_ -> activity.record(entry));
  }

  private ActivityFilter by(@Nullable Cursor cursor) {
    return new ActivityFilter(null, null, actor.toString(), null, null, cursor);
  }

  private Page<Recorded> mine() {
    return activity.newest(by(null), new Limit(50));
  }

  private Recorded only() {
    assertThat(mine().rows()).hasSize(1);
    return mine().rows().getFirst();
  }

  private static UUID agent() {
    UUID id = UUID.randomUUID();
    database
        .jdbc()
        .sql(
            "insert into runtime_agents (id, slug, name) values (:id, 'agent-' || :id, 'an agent')")
        .param("id", id)
        .update();
    return id;
  }

  private UUID run(UUID agent) {
    UUID id = UUID.randomUUID();
    database
        .jdbc()
        .sql(
            """
            insert into runs (id, agent_id, status, mode, input, created_by_actor_id)
            values (:id, :agent, 'running', 'external', '', :actor)
            """)
        .param("id", id)
        .param("agent", agent)
        .param("actor", actor.value())
        .update();
    return id;
  }

  /** As a secret is to Jackson. */
  public static final class Unwritable {
    public String getValue() {
      throw new IllegalStateException("a secret is not written");
    }
  }
}
