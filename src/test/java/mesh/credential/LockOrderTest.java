package mesh.credential;

import static mesh.credential.Provider.GITLAB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import mesh.Await;
import mesh.activity.ActorId;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Changes that meet wait for each other, and none has to be given up. */
class LockOrderTest {

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static final Rows ROWS = new Rows(DATABASE.jdbc());

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Test
  void anAgentIsDeletedWhileItsCredentialIsCleared() throws Exception {
    var agent = ROWS.agent();
    DATABASE
        .jdbc()
        .sql(
            """
            insert into agent_secrets (agent_id, provider, token, account_login, set_by)
            values (:agent, 'gitlab', 'sealed', 'bot', :actor)
            """)
        .params(Map.of("agent", agent.value(), "actor", ActorId.SYSTEM.value()))
        .update();
    var credentials = new CredentialRepository(DATABASE.jdbc());
    var deletion =
        new FutureTask<>(() ->
            DATABASE
                .jdbc()
                .sql("update runtime_agents set deleted_at = now() where id = :agent")
                .param("agent", agent.value())
                .update());

    DATABASE
        .transactions()
        .executeWithoutResult(_ -> {
          var _ = credentials.lock(agent, GITLAB);
          Thread.ofVirtual().start(deletion);
          var _ =
              Await.until(
                  Duration.ofSeconds(10), () -> Race.waitingFor(DATABASE.jdbc()), n -> n == 1);
          assertThat(credentials.delete(agent, GITLAB)).isTrue();
        });

    assertThat(deletion.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(ROWS.revision(agent, GITLAB)).isEqualTo(3);
  }
}
