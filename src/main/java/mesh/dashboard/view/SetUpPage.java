package mesh.dashboard.view;

import java.util.List;

/**
 * @param open whether the link can still be used
 * @param token from the link; the form gives it back
 * @param withoutLink whether somebody came without the link
 */
public record SetUpPage(
    Frame frame, boolean open, String token, boolean withoutLink, List<FieldError> errors) {

  public SetUpPage {
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
