package mesh.dashboard;

import java.util.List;
import java.util.Map;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.FieldError;

/**
 * A form that was sent and not taken: what was typed, but for secrets, and what is wrong with it.
 *
 * @param form which one of the page's
 * @param typed by the id of the field
 */
record RefusedForm(String form, Map<String, String> typed, List<FieldError> errors) {

  static final RefusedForm NONE = new RefusedForm("", Map.of(), List.of());

  RefusedForm {
    typed = Map.copyOf(typed);
    errors = List.copyOf(errors);
  }

  boolean is(String other) {
    return form.equals(other);
  }

  String typed(String field, String otherwise) {
    String text = typed.get(field);
    return text == null ? otherwise : VisibleText.line(text);
  }

  String error(String field) {
    return errors.stream()
        .filter(error -> error.field().equals(field))
        .map(FieldError::text)
        .findFirst()
        .orElse("");
  }
}
