package mesh.dashboard.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections to models' services.
 *
 * @param fresh the form for a further one
 * @param mayChange whether this operator may change or test one
 */
public record ModelsPage(
    Shell shell,
    List<Banner> said,
    List<FieldError> errors,
    List<Card> connections,
    Form fresh,
    boolean mayChange) {

  public ModelsPage {
    said = List.copyOf(said);
    errors = List.copyOf(errors);
    connections = List.copyOf(connections);
  }

  /**
   * A connection.
   *
   * @param test null if it was never tested
   * @param ask the form that tests it
   * @param clear what clearing its key does, as a question; empty without a key
   * @param delete what deleting it does, as a question; empty while agents use it
   * @param users why it cannot be deleted; empty if it can
   */
  public record Card(
      String name,
      String title,
      Badge state,
      List<Fact> facts,
      @Nullable Test test,
      Field ask,
      Form form,
      String clear,
      String delete,
      String users) {

    public Card {
      facts = List.copyOf(facts);
    }
  }

  /** How its last test went, in a sentence. */
  public record Test(Badge outcome, When when, String by, String sentence, boolean failed) {}

  /**
   * What a connection is.
   *
   * @param open whether it is unfolded, as after an error
   * @param prices one model on each line
   */
  public record Form(boolean open, List<SettingInput> inputs, Field prices) {

    public Form {
      inputs = List.copyOf(inputs);
    }
  }
}
