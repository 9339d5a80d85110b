package mesh.fault;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import mesh.Canaries;
import mesh.ServerProcess;
import mesh.TestMesh;
import mesh.TestMesh.Answer;
import mesh.history.Event.What;
import mesh.history.Recorder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Calls as agents and operators make them, each written down with its answer. Thread-safe. */
public final class Clients {

  private final Recorder recorder;
  private final Map<UUID, ReentrantLock> deciding = new ConcurrentHashMap<>();

  public Clients(Recorder recorder) {
    this.recorder = recorder;
  }

  public record Agent(UUID id, String slug) {}

  public record Run(UUID id, String token, Agent agent) {}

  /** An answer; without one nobody knows what became of the call. */
  public record Reply(int status, JsonNode body) {

    public boolean isLost() {
      return status == 0;
    }

    public boolean succeeded() {
      return status >= 200 && status < 300;
    }

    public String code() {
      return body.path("code").asString("");
    }
  }

  /** An agent with a token for GitHub, so that each of its commands is given one. */
  public Agent newAgent(ServerProcess at, String slug, int workspaces) {
    var created =
        at.admin()
            .post(
                "/api/agents",
                "{\"slug\":\"%s\",\"name\":\"%s\",\"max_concurrent_workspaces\":%d}"
                    .formatted(slug, slug, workspaces))
            .ok();
    var agent = new Agent(UUID.fromString(created.get("id").asString()), slug);
    setCredential(at, agent);
    return agent;
  }

  /** Empty if the answer was lost, or is none that gives a run. */
  public Optional<Run> start(ServerProcess at, Agent agent, @Nullable UUID conversation) {
    var asked = Instant.now();
    var body = TestMesh.JSON.createObjectNode().put("agent", agent.slug()).put("mode", "external");
    if (conversation != null) {
      body.put("conversation", conversation.toString());
    }
    var reply = send(() -> at.admin().post("/api/runs", body));
    if (!reply.succeeded()) {
      return Optional.empty();
    }
    var run =
        new Run(
            UUID.fromString(reply.body().get("id").asString()),
            reply.body().get("token").asString(),
            agent);
    recorder.called(asked, What.RUN_STARTED, run.id(), "", reply.status(), 0);
    return Optional.of(run);
  }

  public Reply exec(ServerProcess at, Run run, String script) {
    var arguments = TestMesh.JSON.createObjectNode().put("script", script).toString();
    return written(
        What.EXECUTED, run.id(), () -> at.with(run.token()).tool("workspace_exec", arguments));
  }

  /** As the agent does. */
  public Reply finish(ServerProcess at, Run run) {
    return written(
        What.RUN_ENDED,
        run.id(),
        () -> at.with(run.token()).post("/api/agent/finish", "{\"status\":\"completed\"}"));
  }

  /** As an operator does. */
  public Reply cancel(ServerProcess at, UUID run) {
    return written(What.RUN_ENDED, run, () -> at.admin().post("/api/runs/" + run + "/cancel", ""));
  }

  /** A new token, which ends what runs with the old. */
  public Reply setCredential(ServerProcess at, Agent agent) {
    var token = Canaries.fresh("ghp_");
    var body = "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(token);
    return decided(
        What.CREDENTIAL_SET,
        agent,
        () -> recorder.knows(agent.id(), "github", token),
        () -> at.admin().put("/api/agents/%s/credentials/github".formatted(agent.slug()), body));
  }

  public Reply permit(ServerProcess at, Agent agent, boolean enabled) {
    var body = "{\"enabled\":%b}".formatted(enabled);
    return decided(
        enabled ? What.PERMITTED : What.FORBIDDEN,
        agent,
        () -> {},
        () ->
            at.admin()
                .put("/api/agents/%s/credential-permissions/github".formatted(agent.slug()), body));
  }

  /** One after the other for each agent, so that a history can tell which came first. */
  private Reply decided(What what, Agent agent, Runnable before, Supplier<Answer> call) {
    var lock = deciding.computeIfAbsent(agent.id(), _ -> new ReentrantLock());
    lock.lock();
    try {
      before.run();
      var asked = Instant.now();
      var reply = send(call);
      if (reply.isLost()) {
        recorder.lost(asked, what, agent.id(), "github");
      } else {
        recorder.called(
            asked,
            what,
            agent.id(),
            "github",
            reply.status(),
            reply.body().path("revision").asLong(0));
      }
      return reply;
    } finally {
      lock.unlock();
    }
  }

  private Reply written(What what, UUID subject, Supplier<Answer> call) {
    var asked = Instant.now();
    var reply = send(call);
    if (reply.isLost()) {
      recorder.lost(asked, what, subject, "");
    } else {
      recorder.called(asked, what, subject, "", reply.status(), 0);
    }
    return reply;
  }

  private static Reply send(Supplier<Answer> call) {
    try {
      var answer = call.get();
      return new Reply(
          answer.status(),
          answer.text().isEmpty() ? TestMesh.JSON.createObjectNode() : answer.json());
    } catch (UncheckedIOException lost) {
      return new Reply(0, TestMesh.JSON.createObjectNode());
    }
  }
}
