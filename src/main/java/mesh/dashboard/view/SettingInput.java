package mesh.dashboard.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An input of a form that a descriptor asks for. */
public sealed interface SettingInput {

  Field field();

  /**
   * One line of text.
   *
   * @param otherwise what counts if it is left empty; empty for nothing
   */
  record Line(Field field, String otherwise, boolean optional) implements SettingInput {}

  /**
   * What goes in and never comes back; of several lines, as keys are.
   *
   * @param setAt when one was entered; null if none was
   */
  record Secret(Field field, @Nullable When setAt, boolean optional) implements SettingInput {}

  record Choice(Field field, List<Option> options) implements SettingInput {

    public Choice {
      options = List.copyOf(options);
    }
  }

  record Toggle(Field field, boolean on) implements SettingInput {}
}
