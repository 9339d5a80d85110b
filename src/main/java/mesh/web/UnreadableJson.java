package mesh.web;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * Says what is wrong with a body: where it is no JSON, or which field is not what it should be.
 * Never passes on Jackson's own words, which name classes.
 */
final class UnreadableJson {

  private static final int WORDS = 300;

  /** {@code mesh.agent.Agent} and the like. */
  private static final Pattern CLASS_NAME = Pattern.compile("\\b[a-z]\\w*(\\.\\w+)*\\.[A-Z]\\w*");

  private UnreadableJson() {}

  static Problem problem(HttpMessageNotReadableException unreadable) {
    return switch (unreadable.getCause()) {
      case StreamReadException malformed -> malformed(malformed);
      case StreamConstraintsException excessive -> malformed(excessive);
      case MismatchedInputException trailing when words(trailing).startsWith("Trailing token") ->
          malformed(trailing);
      case DatabindException wrong -> wrongValue(wrong);
      case null -> Problem.badRequest("body_missing", "This call needs a JSON body.");
      default -> Problem.badRequest("json_malformed", "The body could not be read.");
    };
  }

  private static String words(JacksonException thrown) {
    return String.valueOf(thrown.getOriginalMessage());
  }

  private static Problem malformed(JacksonException malformed) {
    TokenStreamLocation where = malformed.getLocation();
    String words = words(malformed);
    String what;
    if (words.startsWith("Duplicate Object property")) {
      what = "The body has a field twice";
    } else if (words.startsWith("Trailing token")) {
      what = "The body goes on after its JSON";
    } else if (words.contains("nesting depth")) {
      what = "The body is nested deeper than " + StrictJson.DEPTH + " levels";
    } else {
      what = "The body is not valid JSON";
    }
    if (where == null || where.getLineNr() < 1) {
      return Problem.badRequest("json_malformed", what + ".");
    }
    return Problem.badRequest(
            "json_malformed",
            "%s, at line %d, column %d.".formatted(what, where.getLineNr(), where.getColumnNr()))
        .with("line", where.getLineNr())
        .with("column", where.getColumnNr());
  }

  private static Problem wrongValue(DatabindException wrong) {
    String pointer = pointer(wrong.getPath());
    String where = pointer.isEmpty() ? "The body" : pointer;
    return Problem.badRequest("arguments_invalid", where + " " + complaint(wrong) + ".")
        .with("pointer", pointer);
  }

  private static String complaint(DatabindException wrong) {
    return switch (wrong) {
      case UnrecognizedPropertyException unknown -> "is not a field" + known(unknown);
      case ValueInstantiationException refused -> reason(refused.getCause());
      case MismatchedInputException mismatch ->
          (words(mismatch).contains("`null`") ? "is missing or null: it must be " : "must be ")
              + expected(mismatch.getTargetType());
      default -> "is not valid";
    };
  }

  private static String known(UnrecognizedPropertyException unknown) {
    Collection<Object> fields = unknown.getKnownPropertyIds();
    return fields == null || fields.isEmpty()
        ? ""
        : "; there are "
            + fields.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
  }

  private static String reason(@Nullable Throwable cause) {
    String words = cause instanceof IllegalArgumentException ? cause.getMessage() : null;
    return words == null || words.length() > WORDS || CLASS_NAME.matcher(words).find()
        ? "is not valid"
        : "is not valid: " + words;
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "of another type";
    }
    if (type.isEnum()) {
      return "one of "
          + Arrays.stream(type.getEnumConstants())
              .map(String::valueOf)
              .collect(Collectors.joining(", "));
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
      return "a whole number";
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return "a number";
    }
    if (CharSequence.class.isAssignableFrom(type)) {
      return "a text";
    }
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type.isRecord() || Map.class.isAssignableFrom(type)) {
      return "an object";
    }
    return switch (type.getSimpleName()) {
      case "UUID" -> "an id";
      case "Instant" -> "a time such as 2026-01-31T12:00:00Z";
      default -> "of another type";
    };
  }

  /** An RFC 6901 pointer to the field that is wrong. */
  private static String pointer(List<JacksonException.Reference> path) {
    return path.stream()
        .map(step ->
            step.getPropertyName() == null
                ? "/" + step.getIndex()
                : "/" + step.getPropertyName().replace("~", "~0").replace("/", "~1"))
        .collect(Collectors.joining());
  }
}
