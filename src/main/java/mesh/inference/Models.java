package mesh.inference;

import java.time.Duration;
import java.util.List;
import mesh.inference.ModelChoice.Remote;
import mesh.inference.ModelChoice.Scripted;
import mesh.inference.Prompt.ToolOffer;
import mesh.inference.Reply.Usage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Finds the model an agent's configuration names. */
public class Models implements ModelTrials {

  private static final int TRIAL_TOKENS = 512;

  private final Connections connections;
  private final Clients clients;
  private final Attempts attempts;
  private final Patience patience;

  Models(Connections connections, Clients clients, Attempts attempts, Patience patience) {
    this.connections = connections;
    this.clients = clients;
    this.attempts = attempts;
    this.patience = patience;
  }

  /**
   * The model of a configuration, see {@link ModelChoice}, with its connection as it is now.
   *
   * @throws IllegalArgumentException with a sentence if there is no such model
   */
  public Model of(JsonNode configuration) {
    return switch (ModelChoice.of(configuration)) {
      case Scripted(var script) -> ScriptedModel.of(script);
      case Remote remote -> {
        var connection =
            connections
                .find(remote.connection())
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "There is no connection '%s': set it up under Settings → Models."
                            .formatted(remote.connection())));
        yield new RemoteModel(remote, clients.of(connection, patience), attempts, patience);
      }
    };
  }

  /**
   * Asks a model for a short reply, once, with a tool that it may call: for somebody who sets up a
   * connection, saved or not. Costs what it costs. Takes 45 s at most.
   *
   * @throws InterruptedException if the one who asked went away
   */
  @Override
  public ModelTrial trial(Connection connection, String model) throws InterruptedException {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    schema.putObject("properties").putObject("text").put("type", "string");
    var prompt =
        new Prompt(
            "",
            List.of(new Message.Asked("Reply with the one word 'ready'.")),
            List.of(new ToolOffer("note", "Keeps a note.", schema)));
    var begun = System.nanoTime();
    try {
      var reply =
          attempts.ask(
              clients.open(connection, Patience.TRIAL),
              new Question(model, TRIAL_TOKENS, null, prompt),
              Patience.TRIAL);
      var took = Duration.ofNanos(System.nanoTime() - begun);
      return new ModelTrial(
          true, took, "'%s' replied in %d ms.".formatted(model, took.toMillis()), reply.usage());
    } catch (IllegalArgumentException e) {
      return new ModelTrial(false, Duration.ZERO, String.valueOf(e.getMessage()), Usage.NONE);
    } catch (ModelException e) {
      var took = Duration.ofNanos(System.nanoTime() - begun);
      return new ModelTrial(false, took, e.sentence(), Usage.NONE);
    }
  }
}
