package mesh.dashboard.view;

import java.util.List;

/**
 * The form that starts a run.
 *
 * @param agents to choose from; without any the form is not shown
 * @param open whether it is unfolded, as after an error
 */
public record StartForm(
    List<Option> agents, String task, String onBehalfOf, List<FieldError> errors, boolean open) {

  public StartForm {
    agents = List.copyOf(agents);
    errors = List.copyOf(errors);
  }

  /** What is wrong with this field; empty if nothing. */
  public String errorOf(String field) {
    return errors.stream()
        .filter(error -> error.field().equals(field))
        .map(FieldError::text)
        .findFirst()
        .orElse("");
  }
}
