package mesh.web;

import java.util.Optional;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingRequestValueException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;

/** What each exception that can reach the advice means to the caller. */
final class Thrown {

  private static final int CAUSES = 16;

  private Thrown() {}

  /** True when the connection is gone: there is nobody to answer and nothing is wrong here. */
  static boolean clientLeft(Throwable thrown) {
    return cause(thrown, BodyTooLarge.class).isEmpty()
        && DisconnectedClientHelper.isClientDisconnectedException(thrown);
  }

  /** Empty when nobody foresaw it. */
  static Optional<Problem> problem(Throwable thrown) {
    Optional<Problem> told = cause(thrown, Problem.class);
    if (told.isPresent()) {
      return told;
    }
    Optional<BodyTooLarge> tooLarge = cause(thrown, BodyTooLarge.class);
    if (tooLarge.isPresent()) {
      return Optional.of(tooLarge.get().problem());
    }
    return Optional.ofNullable(
        switch (thrown) {
          case HttpMessageNotReadableException unreadable -> UnreadableJson.problem(unreadable);
          case NoResourceFoundException _, NoHandlerFoundException _ -> notFound();
          case HttpRequestMethodNotSupportedException wrong ->
              Problem.of(
                  405,
                  "method_not_allowed",
                  "%s is not a method of this address.".formatted(wrong.getMethod()));
          case HttpMediaTypeNotSupportedException wrong ->
              Problem.of(
                  415,
                  "media_type_unsupported",
                  "This address takes application/json, not %s."
                      .formatted(
                          wrong.getContentType() == null ? "nothing" : wrong.getContentType()));
          case HttpMediaTypeNotAcceptableException _ ->
              Problem.of(406, "not_acceptable", "This address has nothing of the type in Accept.");
          case MissingServletRequestParameterException missing ->
              Problem.badRequest(
                      "parameter_missing",
                      "Parameter %s is missing.".formatted(missing.getParameterName()))
                  .with("parameter", missing.getParameterName());
          case MissingRequestValueException _ ->
              Problem.badRequest("parameter_missing", "A required part of the request is missing.");
          case MethodArgumentTypeMismatchException wrong -> mismatch(wrong);
          case TypeMismatchException _ ->
              Problem.badRequest("parameter_invalid", "A parameter is not of its type.");
          case MaxUploadSizeExceededException _ ->
              Problem.of(413, "body_too_large", "The body is larger than this address takes.");
          case AsyncRequestTimeoutException _ ->
              Problem.of(503, "timed_out", "The answer took too long. Ask again.");
          case AuthenticationException _ ->
              Problem.unauthorized("token_invalid", "This call needs a valid token.");
          case AccessDeniedException _ ->
              Problem.forbidden("role_insufficient", "Your role does not allow this.");
          case DataAccessResourceFailureException _,
              TransientDataAccessException _,
              CannotCreateTransactionException _ ->
              Problem.of(
                      503,
                      "database_unavailable",
                      "The database did not answer in time. Ask again in a moment.")
                  .with("retry_after_seconds", 1);
          case ErrorResponse known when known.getStatusCode().is4xxClientError() ->
              status(known.getStatusCode().value());
          default -> null;
        });
  }

  /** A problem for a bare status, as the container reports it. */
  static Problem status(int status) {
    return switch (status) {
      case 404 -> notFound();
      case 413 -> Problem.of(413, "body_too_large", "The body is larger than this address takes.");
      default ->
          Problem.of(
              status,
              Problems.title(status).toLowerCase(java.util.Locale.ROOT).replaceAll("\\W+", "_"),
              "The request was refused: " + Problems.title(status) + ".");
    };
  }

  static Problem notFound() {
    return Problem.notFound("not_found", "There is nothing at this address.");
  }

  private static Problem mismatch(MethodArgumentTypeMismatchException wrong) {
    // An id that cannot be one names nothing, as one that nobody made.
    if (wrong.getParameter().hasParameterAnnotation(PathVariable.class)) {
      return notFound();
    }
    return Problem.badRequest(
            "parameter_invalid", "Parameter %s is not of its type.".formatted(wrong.getName()))
        .with("parameter", wrong.getName());
  }

  private static <T extends Throwable> Optional<T> cause(Throwable thrown, Class<T> type) {
    Throwable at = thrown;
    for (int i = 0; i < CAUSES && at != null; i++) {
      if (type.isInstance(at)) {
        return Optional.of(type.cast(at));
      }
      at = at.getCause();
    }
    return Optional.empty();
  }
}
