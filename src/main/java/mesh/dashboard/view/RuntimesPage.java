package mesh.dashboard.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runtimes that workspaces may use.
 *
 * @param noneEnabled whether no agent can have a workspace now
 * @param mayChange whether this operator may change, enable or test one
 */
public record RuntimesPage(
    Shell shell,
    List<Banner> said,
    List<FieldError> errors,
    boolean noneEnabled,
    List<Card> runtimes,
    boolean mayChange) {

  public RuntimesPage {
    said = List.copyOf(said);
    errors = List.copyOf(errors);
    runtimes = List.copyOf(runtimes);
  }

  /**
   * A runtime.
   *
   * @param name in addresses
   * @param isDefault whether agents without a pin use it
   * @param warning what to know before it is enabled; empty if nothing
   * @param lacks what follows from each capability it has not
   * @param test null if it was never tested
   * @param settings as they are, for who may not change them
   */
  public record Card(
      String name,
      String title,
      String summary,
      Badge state,
      boolean isDefault,
      String warning,
      List<Fact> facts,
      List<Ability> abilities,
      List<String> lacks,
      @Nullable Test test,
      List<Fact> settings,
      Form form) {

    public Card {
      facts = List.copyOf(facts);
      abilities = List.copyOf(abilities);
      lacks = List.copyOf(lacks);
      settings = List.copyOf(settings);
    }
  }

  /**
   * Something a runtime can do.
   *
   * @param grade how well; empty if there are no degrees of it
   */
  public record Ability(String sentence, String grade) {}

  /**
   * How its last test went.
   *
   * @param errors each a sentence; none if all went well
   * @param steps each with what it took
   * @param notes what the runtime said of itself
   */
  public record Test(
      Badge outcome,
      When when,
      String by,
      List<String> errors,
      List<Fact> steps,
      List<String> notes) {

    public Test {
      errors = List.copyOf(errors);
      steps = List.copyOf(steps);
      notes = List.copyOf(notes);
    }
  }

  /**
   * What may be done to a runtime.
   *
   * @param open whether the settings are unfolded, as after an error
   * @param complete whether nothing required is missing
   * @param disable what disabling it does, as a question; empty if it is not enabled
   * @param clear the stored secrets that may be forgotten
   */
  public record Form(
      boolean open,
      boolean complete,
      boolean enabled,
      List<SettingInput> inputs,
      String disable,
      List<Clear> clear) {

    public Form {
      inputs = List.copyOf(inputs);
      clear = List.copyOf(clear);
    }
  }

  /** A stored secret, and what its end leads to, as a question. */
  public record Clear(String key, String label, String question) {}
}
