package mesh.inference;

/** A model of a service. */
final class RemoteModel implements Model {

  private final ModelChoice.Remote choice;
  private final Client client;
  private final Attempts attempts;
  private final Patience patience;

  RemoteModel(ModelChoice.Remote choice, Client client, Attempts attempts, Patience patience) {
    this.choice = choice;
    this.client = client;
    this.attempts = attempts;
    this.patience = patience;
  }

  @Override
  public Window window() {
    return choice.window();
  }

  @Override
  public Reply next(Prompt prompt) throws InterruptedException {
    var question =
        new Question(choice.model(), choice.window().reply(), choice.temperature(), prompt);
    return attempts.ask(client, question, patience);
  }
}
