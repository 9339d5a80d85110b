package mesh.credential;

import static mesh.credential.Provider.GITHUB;
import static mesh.credential.Provider.GITLAB;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.database.TestDatabase;
import mesh.run.RunId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The rules of credentials as the database enforces them, whatever code does. */
class CredentialSchemaTest {

  private static final String RESTRICTED = "23001";
  private static final String NO_SUCH_ROW = "23503";
  private static final String TAKEN = "23505";
  private static final String CHECKED = "23514";
  private static final String ACCEPTED = "accepted";

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static final JdbcClient JDBC = DATABASE.jdbc();
  private static final Rows ROWS = new Rows(JDBC);

  private AgentId agent = new AgentId(new UUID(0, 0));
  private RunId run = new RunId(new UUID(0, 0));

  @BeforeEach
  void makeAgent() {
    agent = ROWS.agent();
    run = ROWS.run(agent);
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Nested
  class AnIssuance {

    @BeforeEach
    void issue() {
      ROWS.issue(run);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "update workspace_credential_issuances set available = not available where run_id = :run",
          "update workspace_credential_issuances set permission_revision = permission_revision + 1 where run_id = :run",
          "update workspace_credential_issuances set issued_at = issued_at where run_id = :run",
          "delete from workspace_credential_issuances where run_id = :run"
        })
    void isForEver(String sql) {
      assertThat(refusal(sql, Map.of("run", run.value()))).isEqualTo(RESTRICTED);
    }

    @Test
    void isNotTruncatedEither() {
      assertThat(refusal("truncate workspace_credential_issuances")).isEqualTo(RESTRICTED);
      assertThat(refusal("truncate runs cascade")).isEqualTo(RESTRICTED);
    }

    @Test
    void isMadeOnceForEachProvider() {
      assertThat(insert(run, agent, "github", 1)).isEqualTo(TAKEN);
    }

    @Test
    void namesARunOfItsOwnAgent() {
      assertThat(insert(ROWS.run(ROWS.agent()), agent, "github", 1)).isEqualTo(NO_SUCH_ROW);
      assertThat(insert(new RunId(UUID.randomUUID()), agent, "github", 1)).isEqualTo(NO_SUCH_ROW);
    }

    @Test
    void namesAPermissionAndARevision() {
      assertThat(insert(ROWS.run(agent), agent, "bitbucket", 1)).isEqualTo(NO_SUCH_ROW);
      assertThat(insert(ROWS.run(agent), agent, "github", 0)).isEqualTo(CHECKED);
      assertThat(insert(ROWS.run(agent), agent, "github", 1)).isEqualTo(ACCEPTED);
    }

    private static String insert(RunId run, AgentId agent, String provider, long revision) {
      return refusal(
          """
          insert into workspace_credential_issuances
                 (run_id, provider, agent_id, credential_kind, permission_revision, available)
          values (:run, :provider, :agent, 'personal_access_token', :revision, true)
          """,
          Map.of(
              "run",
              run.value(),
              "agent",
              agent.value(),
              "provider",
              provider,
              "revision",
              revision));
    }
  }

  @Nested
  class ATaint {

    private UUID workspace = new UUID(0, 0);

    @BeforeEach
    void taint() {
      workspace = ROWS.workspace(agent);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "update workspace_taints set permission_revision = permission_revision + 1 where workspace_id = :id",
          "update workspace_taints set provider = provider where workspace_id = :id",
          "delete from workspace_taints where workspace_id = :id"
        })
    void isForEver(String sql) {
      assertThat(refusal(sql, Map.of("id", workspace))).isEqualTo(RESTRICTED);
    }

    @Test
    void isNotTruncatedEither() {
      assertThat(refusal("truncate workspace_taints")).isEqualTo(RESTRICTED);
    }

    @Test
    void isOfTheWorkspacesOwnAgent() {
      assertThat(insert(ROWS.agent(), "github", 2)).isEqualTo(NO_SUCH_ROW);
      assertThat(insert(agent, "bitbucket", 2)).isEqualTo(NO_SUCH_ROW);
      assertThat(insert(agent, "github", 0)).isEqualTo(CHECKED);
    }

    /** A continued sandbox brings what touched it before. */
    @Test
    void mayBeOneOfSeveral() {
      assertThat(insert(agent, "github", 2)).isEqualTo(ACCEPTED);
      assertThat(insert(agent, "github", 2)).isEqualTo(TAKEN);
    }

    private String insert(AgentId of, String provider, long revision) {
      return refusal(
          "insert into workspace_taints values (:id, :agent, :provider, :revision)",
          Map.of("id", workspace, "agent", of.value(), "provider", provider, "revision", revision));
    }
  }

  @Nested
  class APermission {

    @Test
    void comesWithTheAgent() {
      assertThat(permissions(agent))
          .containsExactly("github true 1 automatic", "gitlab true 1 automatic");
    }

    @Test
    void isKept() {
      assertThat(
              refusal("delete from workspace_credential_permissions where agent_id = :agent", of()))
          .isEqualTo(RESTRICTED);
      assertThat(refusal("truncate workspace_credential_permissions cascade"))
          .isEqualTo(RESTRICTED);
      assertThat(refusal("truncate runtime_agents cascade")).isEqualTo(RESTRICTED);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "revision = revision + 2",
          "revision = revision + 5",
          "revision = revision - 1",
          "revision = 1",
          "revision = 0",
          "revision = -1",
          "provider = 'gitlab'",
          "agent_id = gen_random_uuid()"
        })
    void stepsByOneAndStaysWhereItIs(String assignment) {
      ROWS.touch(agent, GITHUB);
      ROWS.touch(agent, GITHUB);

      assertThat(set(assignment)).isEqualTo(RESTRICTED);
      assertThat(ROWS.revision(agent, GITHUB)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "enabled = enabled",
          "enabled = not enabled",
          "revision = revision",
          "revision = revision + 1",
          "revision = null",
          "updated_at = '2000-01-01'"
        })
    void stepsWithEveryUpdate(String assignment) {
      assertThat(set(assignment)).isEqualTo(ACCEPTED);

      assertThat(ROWS.revision(agent, GITHUB)).isEqualTo(2);
      assertThat(ROWS.revision(agent, GITLAB)).isEqualTo(1);
    }

    @Test
    void tellsTheTimeOfItsLastChangeItself() {
      set("updated_at = '2000-01-01'");

      assertThat(
              one(
                  """
                  select updated_at > now() - interval '1 minute'
                    from workspace_credential_permissions
                   where agent_id = :agent and provider = 'github'
                  """,
                  Boolean.class))
          .isTrue();
    }

    @Test
    void beginsWithRevisionOne() {
      var bare = agentWithoutPermissions();

      JDBC.sql(
              """
              insert into workspace_credential_permissions (agent_id, provider, revision)
              values (:agent, 'github', 7)
              """)
          .param("agent", bare.value())
          .update();

      assertThat(permissions(bare)).containsExactly("github true 1 automatic");
    }

    @Test
    void knowsTwoProvidersAndThreeSources() {
      assertThat(
              refusal(
                  "insert into workspace_credential_permissions (agent_id, provider) values (:agent, 'bitbucket')",
                  of()))
          .isEqualTo(CHECKED);
      assertThat(set("source = 'guessed'")).isEqualTo(CHECKED);
      assertThat(set("updated_by = gen_random_uuid()")).isEqualTo(NO_SUCH_ROW);
    }

    private String set(String assignment) {
      return refusal(
          """
          update workspace_credential_permissions
             set %s
           where agent_id = :agent and provider = 'github'
          """
              .formatted(assignment),
          of());
    }
  }

  @Nested
  class ASecret {

    @Test
    void stepsItsPermissionWithEachWriteAndItsDeletion() {
      putSecret(agent, "github");
      assertThat(ROWS.revision(agent, GITHUB)).isEqualTo(2);

      putSecret(agent, "github");
      assertThat(ROWS.revision(agent, GITHUB)).isEqualTo(3);

      JDBC.sql("update agent_secrets set token = token where agent_id = :agent")
          .params(of())
          .update();
      assertThat(ROWS.revision(agent, GITHUB)).isEqualTo(4);

      JDBC.sql("delete from agent_secrets where agent_id = :agent").params(of()).update();
      assertThat(ROWS.revision(agent, GITHUB)).isEqualTo(5);
      assertThat(ROWS.revision(agent, GITLAB)).isEqualTo(1);
    }

    @Test
    void tellsWhoWroteIt() {
      putSecret(agent, "github");

      assertThat(
              one(
                  """
                  select updated_by
                    from workspace_credential_permissions
                   where agent_id = :agent and provider = 'github'
                  """,
                  UUID.class))
          .isEqualTo(ActorId.SYSTEM.value());
    }

    @Test
    void decidesNothingAboutItsPermission() {
      putSecret(agent, "github");

      assertThat(permissions(agent))
          .containsExactly("github true 2 automatic", "gitlab true 1 automatic");
    }

    @Test
    void isNotTruncated() {
      assertThat(refusal("truncate agent_secrets")).isEqualTo(RESTRICTED);
    }

    @Test
    void belongsToAPermission() {
      var bare = agentWithoutPermissions();

      assertThat(refusal(PUT_SECRET, secret(bare, "github"))).isEqualTo(NO_SUCH_ROW);
      assertThat(refusal(PUT_SECRET, secret(agent, "bitbucket"))).isEqualTo(NO_SUCH_ROW);
    }
  }

  /** Such as the rows of an installation that knew no revisions. */
  @Nested
  class ALegacyPermission {

    private AgentId old = new AgentId(new UUID(0, 0));

    @BeforeEach
    void takeOver() {
      old = agentWithoutPermissions();
      migrate(false);
    }

    @Test
    void staysAsItWasWhenASecretIsWritten() {
      putSecret(old, "github");
      JDBC.sql("delete from agent_secrets where agent_id = :agent")
          .param("agent", old.value())
          .update();

      assertThat(permissions(old))
          .containsExactly("github false 3 legacy_migration", "gitlab true 1 automatic");
    }

    @Test
    void staysAsItWasWhenItIsTakenOverAgain() {
      migrate(true);

      assertThat(permissions(old))
          .containsExactly("github false 1 legacy_migration", "gitlab true 1 automatic");
    }

    private void migrate(boolean enabled) {
      JDBC.sql(
              """
              insert into workspace_credential_permissions (agent_id, provider, enabled, source)
              values (:agent, 'github', :enabled, 'legacy_migration'),
                     (:agent, 'gitlab', true, 'automatic')
                  on conflict do nothing
              """)
          .param("agent", old.value())
          .param("enabled", enabled)
          .update();
    }
  }

  @Nested
  class AChange {

    @Test
    void takesWhateverSandboxItsPastTouched() {
      var states =
          Map.of(
              "creating", new String[] {"creating"},
              "ready", new String[] {"creating", "ready"},
              "held", new String[] {"creating", "ready", "held"},
              "lost", new String[] {"creating", "lost"});
      var workspaces = new HashMap<String, UUID>();
      states.forEach((state, steps) -> workspaces.put(state, ROWS.workspace(agent, steps)));

      ROWS.touch(agent, GITLAB);

      workspaces.forEach((state, id) -> {
        assertThat(ROWS.state(id)).as("was " + state).isEqualTo("releasing");
        assertThat(ROWS.queued(id)).as("was " + state).containsExactly("authorization_changed");
      });
    }

    @Test
    void leavesWhatHasNoSandboxOrIsOnItsWay() {
      var pending = ROWS.workspace(agent);
      var released = ROWS.workspace(agent, "creating", "releasing", "released");
      var releasing = ROWS.workspace(agent, "creating", "releasing");
      JDBC.sql("update workspace_teardowns set done_at = now() where workspace_id = :id")
          .param("id", released)
          .update();

      ROWS.touch(agent, GITHUB);

      assertThat(ROWS.state(pending)).isEqualTo("pending");
      assertThat(ROWS.state(released)).isEqualTo("released");
      assertThat(ROWS.queued(released)).isEmpty();
      assertThat(ROWS.queued(releasing)).containsExactly("test");
    }

    @Test
    void leavesWhatIsNotOutdated() {
      var ofAnother = ROWS.workspace(ROWS.agent(), "creating", "ready");
      var untouched = ROWS.pending(ROWS.run(agent), agent);
      ROWS.step(untouched, "creating");

      ROWS.touch(agent, GITHUB);
      var younger = ROWS.workspace(agent, "creating", "ready");

      assertThat(ROWS.state(ofAnother)).isEqualTo("ready");
      assertThat(ROWS.state(untouched)).isEqualTo("creating");
      assertThat(ROWS.state(younger)).isEqualTo("ready");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void ofASecretDoesTheSame(Provider provider) {
      var workspace = ROWS.workspace(agent, "creating", "ready");

      putSecret(agent, provider.word());

      assertThat(ROWS.queued(workspace)).containsExactly("authorization_changed");
    }

    @Test
    void thatIsNotCommittedTakesNothing() {
      var workspace = ROWS.workspace(agent, "creating", "ready");

      DATABASE
          .transactions()
          .executeWithoutResult(status -> {
            ROWS.touch(agent, GITHUB);
            assertThat(ROWS.queued(workspace)).containsExactly("authorization_changed");
            status.setRollbackOnly();
          });

      assertThat(ROWS.revision(agent, GITHUB)).isEqualTo(1);
      assertThat(ROWS.state(workspace)).isEqualTo("ready");
      assertThat(ROWS.queued(workspace)).isEmpty();
    }

    @Test
    void ofManySandboxesIsOneTransaction() {
      for (int i = 0; i < 40; i++) {
        ROWS.workspace(agent, "creating", "ready");
      }

      ROWS.touch(agent, GITHUB);

      assertThat(
              one(
                  """
                  select count(*)
                    from workspace_teardowns t
                    join workspaces w on w.id = t.workspace_id
                   where w.agent_id = :agent and t.reason = 'authorization_changed'
                  """,
                  Integer.class))
          .isEqualTo(40);
    }
  }

  @Nested
  class AQueuedWorkspace {

    @Test
    void isQueuedAgainWithANewFenceWhenItWasGivenUp() {
      var workspace = ROWS.workspace(agent, "creating", "releasing");
      JDBC.sql("update workspace_teardowns set done_at = now(), fence = 3 where workspace_id = :id")
          .param("id", workspace)
          .update();
      ROWS.step(workspace, "stranded");

      ROWS.step(workspace, "releasing");

      assertThat(ROWS.queued(workspace)).containsExactly("test");
      assertThat(
              JDBC.sql("select fence from workspace_teardowns where workspace_id = :id")
                  .param("id", workspace)
                  .query(Long.class)
                  .single())
          .isEqualTo(4);
    }
  }

  @Nested
  class ADeletedAgent {

    @Test
    void isForgottenWithItsSandboxes() {
      putSecret(agent, "github");
      putSecret(agent, "gitlab");
      JDBC.sql(
              """
              insert into agent_vault_entries (agent_id, name, value, set_by)
              values (:agent, 'key', 'sealed', :actor)
              """)
          .params(of())
          .param("actor", ActorId.SYSTEM.value())
          .update();
      var workspace = ROWS.workspace(agent, "creating", "ready");

      JDBC.sql("update runtime_agents set deleted_at = now() where id = :agent")
          .params(of())
          .update();

      assertThat(one("select count(*) from agent_secrets where agent_id = :agent", Integer.class))
          .isZero();
      assertThat(
              one(
                  "select count(*) from agent_vault_entries where agent_id = :agent",
                  Integer.class))
          .isZero();
      assertThat(permissions(agent))
          .containsExactly("github true 3 automatic", "gitlab true 3 automatic");
      assertThat(ROWS.queued(workspace)).containsExactly("authorization_changed");
    }
  }

  @Nested
  class AVaultEntry {

    @ParameterizedTest
    @ValueSource(strings = {"", ".x", "-x", "a b", "é", "a\nb", "a=b"})
    void hasANameThatCanBecomeAVariable(String name) {
      assertThat(insert(name)).isEqualTo(CHECKED);
      assertThat(insert("a".repeat(65))).isEqualTo(CHECKED);
      assertThat(insert("_" + "a".repeat(63))).isEqualTo(ACCEPTED);
    }

    private String insert(String name) {
      return refusal(
          """
          insert into agent_vault_entries (agent_id, name, value, set_by)
          values (:agent, :name, 'sealed', :actor)
          """,
          Map.of("agent", agent.value(), "name", name, "actor", ActorId.SYSTEM.value()));
    }
  }

  @Nested
  class TheAudit {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "update activity set action = 'x.y' where agent_id = :agent",
          "update activity set at = at where agent_id = :agent",
          "delete from activity where agent_id = :agent"
        })
    void isOnlyAddedTo(String sql) {
      JDBC.sql(
              """
              insert into activity (actor_id, action, agent_id)
              values (:actor, 'credential.set', :agent)
              """)
          .params(of())
          .param("actor", ActorId.SYSTEM.value())
          .update();

      assertThat(refusal(sql, of())).isEqualTo(RESTRICTED);
      assertThat(refusal("truncate activity")).isEqualTo(RESTRICTED);
    }
  }

  // how tests say it

  private static final String PUT_SECRET =
      """
      insert into agent_secrets (agent_id, provider, token, account_login, set_by)
      values (:agent, :provider, 'sealed', 'bot', :actor)
          on conflict (agent_id, provider) do update set token = 'other', set_by = excluded.set_by
      """;

  private static void putSecret(AgentId of, String provider) {
    JDBC.sql(PUT_SECRET).params(secret(of, provider)).update();
  }

  private static Map<String, Object> secret(AgentId of, String provider) {
    return Map.of("agent", of.value(), "provider", provider, "actor", ActorId.SYSTEM.value());
  }

  /** As no agent comes to be, by passing the triggers over. */
  private static AgentId agentWithoutPermissions() {
    return DATABASE
        .transactions()
        .execute(_ -> {
          JDBC.sql("set local session_replication_role = replica").update();
          return ROWS.agent();
        });
  }

  private static List<String> permissions(AgentId of) {
    return JDBC.sql(
            """
            select concat_ws(' ', provider, enabled::text, revision, source)
              from workspace_credential_permissions
             where agent_id = :agent
             order by provider
            """)
        .param("agent", of.value())
        .query((row, _) -> row.getString(1))
        .list();
  }

  private Map<String, Object> of() {
    return Map.of("agent", agent.value());
  }

  private <T> T one(String sql, Class<T> type) {
    return JDBC.sql(sql).params(of()).query(type).single();
  }

  private static String refusal(String sql) {
    return refusal(sql, Map.of());
  }

  /** The SQLSTATE with which the database refuses, or that it does not. */
  private static String refusal(String sql, Map<String, ?> parameters) {
    try {
      JDBC.sql(sql).params(parameters).update();
      return ACCEPTED;
    } catch (DataAccessException refused) {
      return refused.getMostSpecificCause() instanceof SQLException cause
          ? cause.getSQLState()
          : refused.toString();
    }
  }
}
