package mesh.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mesh.dashboard.view.FieldError;
import mesh.execution.catalog.ConfigField;
import mesh.settings.RuntimeSetting;
import mesh.web.Problem;

/** What is wrong with a runtime's settings, told at the fields. */
final class RuntimeErrors {

  private RuntimeErrors() {}

  /**
   * @param sent the form that was refused
   * @throws Problem again, if it is none of the form's
   */
  static List<FieldError> of(RuntimeSetting runtime, Problem problem, Map<String, String> sent) {
    List<FieldError> errors = new ArrayList<>();
    for (ConfigField field : runtime.descriptor().fields()) {
      String error = named(problem, field) ? error(runtime, field, problem) : "";
      if (error.isEmpty() && RuntimeFields.lost(field, sent)) {
        error =
            "Enter %s once more: a form that is refused forgets the secrets in it."
                .formatted(field.label());
      }
      if (!error.isEmpty()) {
        errors.add(new FieldError(RuntimeFields.id(runtime, field.key()), error));
      }
    }
    if (errors.isEmpty()) {
      throw problem;
    }
    return errors;
  }

  private static String error(RuntimeSetting runtime, ConfigField field, Problem problem) {
    String label = field.label();
    return switch (problem.code()) {
      case "runtime_config_invalid" -> rule(field);
      case "runtime_secret_required" ->
          "Enter %s again: a stored secret is only ever sent to the address it was entered for."
              .formatted(label);
      case "runtime_config_incomplete" ->
          "Enter %s: %s cannot be enabled without it."
              .formatted(label, runtime.descriptor().title());
      default -> throw problem;
    };
  }

  private static boolean named(Problem problem, ConfigField field) {
    Map<String, Object> extras = problem.extras();
    if (extras.get("fields") instanceof List<?> fields) {
      return fields.contains(field.key());
    }
    return extras.get("invalid") instanceof Map<?, ?> invalid && invalid.containsKey(field.key());
  }

  private static String rule(ConfigField field) {
    String label = field.label();
    return switch (field) {
      case ConfigField.Text _ ->
          "Write %s on one line of at most 4,096 characters.".formatted(label);
      case ConfigField.Address _ ->
          ("Write %s as https://host/path, without user, query or fragment. http:// is for this"
                  + " machine only.")
              .formatted(label);
      case ConfigField.Secret _ ->
          "Enter %s with at most 65,536 characters and no NUL.".formatted(label);
      case ConfigField.Choice choice ->
          "Choose %s from the list: %s.".formatted(label, String.join(", ", choice.options()));
      case ConfigField.Toggle _ -> "Turn %s on or off.".formatted(label);
    };
  }
}
