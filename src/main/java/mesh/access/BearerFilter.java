package mesh.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.function.Function;
import mesh.web.Problem;
import mesh.web.Problems;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.transaction.TransactionException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Lets in who has a good token, or a session where the chain knows sessions; 401 to the others. */
final class BearerFilter extends OncePerRequestFilter {

  private static final String SCHEME = "Bearer ";

  private final Function<String, ? extends Principal> holders;
  private final FailedCalls failures;
  private final Problems problems;
  private final boolean optional;

  /**
   * @param holders finds whose token it is, or throws a {@link Problem}
   */
  BearerFilter(
      Function<String, ? extends Principal> holders, FailedCalls failures, Problems problems) {
    this(holders, failures, problems, false);
  }

  private BearerFilter(
      Function<String, ? extends Principal> holders,
      FailedCalls failures,
      Problems problems,
      boolean optional) {
    this.holders = holders;
    this.failures = failures;
    this.problems = problems;
    this.optional = optional;
  }

  /**
   * Lets in everybody, and whoever has a token by their name. One that cannot be looked up, because
   * the database does not answer, counts for none: that is when such a question matters.
   */
  static BearerFilter optional(
      Function<String, ? extends Principal> holders, FailedCalls failures, Problems problems) {
    return new BearerFilter(holders, failures, problems, true);
  }

  /** Such requests carry their own proof: cookies mean nothing in them. */
  static boolean hasToken(HttpServletRequest request) {
    return request.getHeader("Authorization") != null;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      if (hasToken(request)) {
        enter(new Caller(holder(request)), request, response);
      } else if (!optional && SecurityContextHolder.getContext().getAuthentication() == null) {
        throw Problem.unauthorized(
            "token_missing", "This call needs a token: Authorization: Bearer mesh_….");
      }
    } catch (Problem refusal) {
      if (refusal.status() == HttpServletResponse.SC_UNAUTHORIZED) {
        response.setHeader("WWW-Authenticate", "Bearer");
      }
      problems.answer(refusal, request, response);
      return;
    } catch (DataAccessException | TransactionException unavailable) {
      if (!optional) {
        throw unavailable;
      }
    }
    chain.doFilter(request, response);
  }

  private Principal holder(HttpServletRequest request) {
    try {
      return holders.apply(token(request.getHeader("Authorization")));
    } catch (Problem refusal) {
      // An ended run's token is a good one that came late, not a guess.
      if (!refusal.code().equals("run_ended") && failures.tooMany(request.getRemoteAddr())) {
        throw Problem.of(
                429, "failures_too_many", "Too many calls with bad tokens from this address.")
            .with("retry_after_seconds", 1);
      }
      throw refusal;
    }
  }

  private static String token(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : "";
  }

  private static void enter(
      Caller caller, HttpServletRequest request, HttpServletResponse response) {
    SecurityContext context = SecurityContextHolder.createEmptyContext();
    context.setAuthentication(caller);
    SecurityContextHolder.setContext(context);
    // The later dispatch of an asynchronous answer finds it there.
    new RequestAttributeSecurityContextRepository().saveContext(context, request, response);
  }
}
