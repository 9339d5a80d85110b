package mesh.dashboard.view;

import java.util.List;

/**
 * The model of an agent, and the form that changes it.
 *
 * @param facts what holds; none without a model
 * @param note in place of the facts, or about them; empty for none
 * @param open whether the form is unfolded, as after an error
 * @param connections whether there is any to choose
 */
public record ModelBlock(
    List<Fact> facts,
    String note,
    boolean open,
    boolean connections,
    SettingInput.Choice connection,
    Field model,
    Field instructions,
    List<Field> limits) {

  public ModelBlock {
    facts = List.copyOf(facts);
    limits = List.copyOf(limits);
  }
}
