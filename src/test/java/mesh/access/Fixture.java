package mesh.access;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.activity.ActorId;
import mesh.activity.Actors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** People, tokens and runs for tests. */
final class Fixture {

  static final String PASSWORD = "a few unrelated words";

  private final AtomicInteger count = new AtomicInteger();
  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final ApiTokens tokens;
  private final RunTokens runTokens;
  private final UserRepository users;
  private final Actors actors;
  private final Passwords passwords;

  Fixture(
      JdbcClient jdbc,
      TransactionTemplate transactions,
      ApiTokens tokens,
      RunTokens runTokens,
      UserRepository users,
      Actors actors,
      Passwords passwords) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.tokens = tokens;
    this.runTokens = runTokens;
    this.users = users;
    this.actors = actors;
    this.passwords = passwords;
  }

  JdbcClient jdbc() {
    return jdbc;
  }

  /** The text of a token of that role. */
  String token(Role role) {
    PlainToken token = tokens.mint();
    transactions.executeWithoutResult(
        _ -> tokens.insert(ActorId.SYSTEM, "test " + role, role, null, token));
    return token.reveal();
  }

  Operator user(Role role) {
    String name = "user-" + count.incrementAndGet();
    ActorId actor = actors.addUser(name);
    users.insert(UUID.randomUUID(), actor, name, passwords.hash(PASSWORD), role);
    return new Operator(actor.value(), name, role);
  }

  UUID run() {
    UUID agent = UUID.randomUUID();
    jdbc.sql("insert into runtime_agents (id, slug, name) values (:id, 'a-' || :id, 'an agent')")
        .param("id", agent)
        .update();
    UUID run = UUID.randomUUID();
    jdbc.sql(
            """
            insert into runs (id, agent_id, status, mode, input, created_by_actor_id)
            values (:id, :agent, 'running', 'external', '', :actor)
            """)
        .param("id", run)
        .param("agent", agent)
        .param("actor", ActorId.SYSTEM.value())
        .update();
    return run;
  }

  String runToken(UUID run) {
    return runTokens.issue(run).reveal();
  }

  void end(UUID run) {
    jdbc.sql(
            """
            update runs
               set status = 'completed', status_reason = 'finished', ended_at = now()
             where id = :id
            """)
        .param("id", run)
        .update();
  }

  long activities(String action) {
    return jdbc.sql("select count(*) from activity where action = :action")
        .param("action", action)
        .query(Long.class)
        .single();
  }
}
