package mesh.settings;

import static java.util.stream.Collectors.toMap;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.activity.Recorded;
import mesh.inference.Connections;
import mesh.inference.ModelTrial;
import mesh.inference.ModelTrials;
import mesh.inference.Reply.Usage;
import mesh.secret.SealBroken;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Tries a connection with one short question; how it went is in the activity. */
@Service
public class ModelTests {

  private static final String ACTION = "model_connection.tested";

  private final Connections connections;
  private final ModelTrials trials;
  private final Activity activity;
  private final TransactionTemplate transaction;
  private final JsonMapper json;

  ModelTests(
      Connections connections,
      ModelTrials trials,
      Activity activity,
      TransactionTemplate transaction,
      JsonMapper json) {
    this.connections = connections;
    this.trials = trials;
    this.activity = activity;
    this.transaction = transaction;
    this.json = json;
  }

  /**
   * How a test went.
   *
   * @param model that was asked
   * @param ms until the reply or the trouble was there
   * @param error a sentence for an operator; null if it replied
   */
  public record Result(String model, boolean ok, long ms, Usage usage, @Nullable String error) {}

  /** The last test of a connection. */
  public record Last(Instant at, String by, Result result) {}

  /**
   * Asks a model there for a short reply, which costs what it costs.
   *
   * @throws Problem 404 {@code model_connection_unknown}, 400 {@code model_name_invalid}
   */
  public Result run(String name, @Nullable String model, ActorId by) throws InterruptedException {
    var asked = model == null ? "" : model.strip();
    if (asked.isEmpty()
        || asked.length() > ModelPrice.LONGEST_MODEL
        || asked.chars().anyMatch(Character::isISOControl)) {
      throw Problem.badRequest(
              "model_name_invalid",
              "Name the model as its service does, with 1 to 200 characters on one line.")
          .with("pointer", "/model");
    }
    var result = tried(name, asked);
    transaction.executeWithoutResult(
        _ -> activity.record(Entry.of(by, ACTION).connection(name).after(result)));
    return result;
  }

  private Result tried(String name, String model) throws InterruptedException {
    try {
      var connection = connections.find(name).orElseThrow(ModelBook::unknown);
      ModelTrial trial = trials.trial(connection, model);
      return new Result(
          model,
          trial.replied(),
          trial.took().toMillis(),
          trial.usage(),
          trial.replied() ? null : trial.sentence());
    } catch (SealBroken broken) {
      return new Result(
          model,
          false,
          0,
          Usage.NONE,
          "The stored key does not open with this server's keyset: enter it again.");
    }
  }

  /** The last one of each connection that was ever tested, by the connection's name. */
  public Map<String, Last> last() {
    return activity.lastOfEachConnection(ACTION).stream()
        .collect(toMap(it -> Objects.requireNonNull(it.connection()), this::last));
  }

  private Last last(Recorded entry) {
    return new Last(
        entry.at(),
        entry.actor(),
        json.readValue(Objects.requireNonNull(entry.after()), Result.class));
  }
}
