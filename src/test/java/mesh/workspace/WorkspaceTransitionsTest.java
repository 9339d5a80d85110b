package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The state machine as the database enforces it, whatever code does. */
class WorkspaceTransitionsTest {

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static final JdbcClient JDBC = DATABASE.jdbc();

  private static final Set<String> LEGAL =
      Set.of(
          "pending>creating",
          "pending>released",
          "creating>ready",
          "creating>pending",
          "creating>releasing",
          "creating>lost",
          "ready>held",
          "ready>releasing",
          "ready>lost",
          "held>ready",
          "held>creating",
          "held>released",
          "held>releasing",
          "held>lost",
          "releasing>released",
          "releasing>held",
          "releasing>lost",
          "releasing>stranded",
          "lost>creating",
          "lost>releasing",
          "lost>released",
          "stranded>releasing",
          "stranded>released");

  private UUID agent = new UUID(0, 0);
  private UUID run = new UUID(0, 0);

  @BeforeEach
  void makeRun() {
    agent = UUID.randomUUID();
    run = UUID.randomUUID();
    JDBC.sql("insert into runtime_agents (id, slug, name) values (:id, :slug, 'a')")
        .param("id", agent)
        .param("slug", "a" + agent)
        .update();
    insertRun(run);
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Test
  void onlyTheLegalStepsAreTaken() {
    var taken = new HashSet<String>();
    for (var from : WorkspaceState.values()) {
      for (var to : WorkspaceState.values()) {
        makeRun();
        var workspace = inState(from);
        if (from != to && accepts(workspace, to)) {
          taken.add(from.word() + ">" + to.word());
        }
      }
    }

    assertThat(taken).isEqualTo(LEGAL);
  }

  @Test
  void aRunHasOneWorkspace() {
    insert();

    assertThatThrownBy(this::insert).isInstanceOf(DataAccessException.class);
  }

  @Test
  void aWorkspaceBelongsToTheRunsOwnAgent() {
    var other = UUID.randomUUID();
    JDBC.sql("insert into runtime_agents (id, slug, name) values (:id, :slug, 'b')")
        .param("id", other)
        .param("slug", "b" + other)
        .update();
    agent = other;

    assertThatThrownBy(this::insert).isInstanceOf(DataAccessException.class);
  }

  @Test
  void aWorkspaceStartsPending() {
    assertThatThrownBy(() ->
            JDBC.sql(
                    """
                    insert into workspaces (id, run_id, agent_id, created_by_actor_id, state,
                                            backend_kind, create_key, size)
                    values (:id, :run, :agent, :actor, 'creating', 'x', 'k', 'small')
                    """)
                .param("id", UUID.randomUUID())
                .param("run", run)
                .param("agent", agent)
                .param("actor", new UUID(0, 1))
                .update())
        .hasMessageContaining("starts pending");
  }

  @Test
  void whatASandboxIsCalledNeverChangesWhileItMayExist() {
    var workspace = inState(WorkspaceState.READY);

    assertThatThrownBy(() -> set(workspace, "backend_kind = 'other'"))
        .hasMessageContaining("fixed");
    assertThatThrownBy(() -> set(workspace, "create_key = 'other'")).hasMessageContaining("fixed");
    assertThatThrownBy(() -> set(workspace, "run_id = gen_random_uuid()"))
        .hasMessageContaining("fixed");
    assertThatThrownBy(() -> set(workspace, "fence = fence - 1")).hasMessageContaining("went back");
  }

  @Test
  void rowsAreEvidence() {
    inState(WorkspaceState.READY);

    assertThatThrownBy(() -> JDBC.sql("delete from workspaces").update())
        .isInstanceOf(DataAccessException.class);
    assertThatThrownBy(() -> JDBC.sql("truncate workspaces cascade").update())
        .isInstanceOf(DataAccessException.class);
    assertThatThrownBy(() ->
            JDBC.sql("insert into workspace_transitions values ('released', 'ready')").update())
        .isInstanceOf(DataAccessException.class);
  }

  @Test
  void aRunThatEndedStaysEnded() {
    JDBC.sql(
            """
            update runs set status = 'completed', status_reason = 'done', ended_at = now()
             where id = :run
            """)
        .param("run", run)
        .update();

    assertThatThrownBy(() ->
            JDBC.sql("update runs set status = 'running', ended_at = null where id = :run")
                .param("run", run)
                .update())
        .hasMessageContaining("has ended");
  }

  private void insertRun(UUID id) {
    JDBC.sql(
            """
            insert into runs (id, agent_id, status, mode, input, created_by_actor_id)
            values (:id, :agent, 'running', 'external', '', :actor)
            """)
        .param("id", id)
        .param("agent", agent)
        .param("actor", new UUID(0, 1))
        .update();
  }

  private UUID insert() {
    var id = UUID.randomUUID();
    JDBC.sql(
            """
            insert into workspaces (id, run_id, agent_id, created_by_actor_id)
            values (:id, :run, :agent, :actor)
            """)
        .param("id", id)
        .param("run", run)
        .param("agent", agent)
        .param("actor", new UUID(0, 1))
        .update();
    return id;
  }

  /** By the shortest legal way. */
  private UUID inState(WorkspaceState state) {
    var id = insert();
    switch (state) {
      case PENDING -> {}
      case CREATING -> steps(id, "creating");
      case READY -> steps(id, "creating", "ready");
      case HELD -> steps(id, "creating", "ready", "held");
      case RELEASING -> steps(id, "creating", "releasing");
      case RELEASED -> steps(id, "creating", "releasing", "released");
      case LOST -> steps(id, "creating", "lost");
      case STRANDED -> steps(id, "creating", "releasing", "stranded");
    }
    return id;
  }

  private static void steps(UUID id, String... states) {
    for (var state : states) {
      set(id, toState(state));
    }
  }

  private static boolean accepts(UUID id, WorkspaceState to) {
    try {
      set(id, toState(to.word()));
      return true;
    } catch (DataAccessException refused) {
      return false;
    }
  }

  /** With everything else that a state demands, so that only the step itself can be refused. */
  private static String toState(String state) {
    var released = state.equals("released") ? "now()" : "null";
    return """
    state = '%s', backend_kind = coalesce(backend_kind, 'x'),
    create_key = coalesce(create_key, id::text), size = 'small', external_ref = 'ref',
    release_reason = 'test', released_at = %s
    """
        .formatted(state, released);
  }

  private static void set(UUID id, String assignments) {
    JDBC.sql("update workspaces set " + assignments + " where id = :id").param("id", id).update();
  }
}
