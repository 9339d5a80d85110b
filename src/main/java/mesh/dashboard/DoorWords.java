package mesh.dashboard;

import mesh.dashboard.view.FieldError;

/** What the codes of {@code access} mean to whoever stands at the door. */
final class DoorWords {

  private DoorWords() {}

  static String signInProblem(String code) {
    return code.equals("wait")
        ? "There were too many wrong passwords. Wait a minute, then try again."
        : "Name and password do not belong together. Check both and try again.";
  }

  static FieldError setUpProblem(String code) {
    return switch (code) {
      case "name_invalid" ->
          new FieldError(
              "username",
              "Choose a name of up to 64 letters, digits, dots, dashes, underscores or @ signs that"
                  + " begins with a letter or digit.");
      case "password_short" ->
          new FieldError("password", "Make the password at least 12 characters long.");
      case "password_long" ->
          new FieldError("password", "Make the password at most 1,024 characters long.");
      case "token_invalid" ->
          new FieldError(
              "", "The link was used already, or is too old. Restart Mesh for a new one.");
      default ->
          new FieldError("password", "Choose another password: this one is too easy to guess.");
    };
  }
}
