package mesh.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.session.FindByIndexNameSessionRepository;

/**
 * Who a session belongs to. It holds no more than the person's id and when they signed in: the role
 * is looked up for each request, so a session cannot know an old one.
 *
 * <p>A request with a token is not looked at: see {@link BearerFilter}.
 */
final class Sessions implements SecurityContextRepository {

  static final Duration IDLE = Duration.ofHours(12);
  static final Duration LONGEST = Duration.ofDays(7);

  private static final String ACTOR = "mesh.actor";
  private static final String SIGNED_IN_AT = "mesh.signed_in_at";

  private final Users users;
  private final Clock clock;

  Sessions(Users users, Clock clock) {
    this.users = users;
    this.clock = clock;
  }

  @Override
  @Deprecated // Spring still asks for it, and calls it from its loadDeferredContext
  public SecurityContext loadContext(HttpRequestResponseHolder holder) {
    SecurityContext context = SecurityContextHolder.createEmptyContext();
    signedIn(holder.getRequest())
        .ifPresent(operator -> context.setAuthentication(new Caller(operator)));
    return context;
  }

  private Optional<Operator> signedIn(HttpServletRequest request) {
    if (BearerFilter.hasToken(request)) {
      return Optional.empty();
    }
    HttpSession session = request.getSession(false);
    if (session == null
        || !(session.getAttribute(ACTOR) instanceof String actor)
        || !(session.getAttribute(SIGNED_IN_AT) instanceof Long at)) {
      return Optional.empty();
    }
    if (Instant.ofEpochMilli(at).plus(LONGEST).isBefore(clock.instant())) {
      session.invalidate();
      return Optional.empty();
    }
    return users.current(UUID.fromString(actor));
  }

  @Override
  public void saveContext(
      SecurityContext context, HttpServletRequest request, HttpServletResponse response) {
    if (context.getAuthentication() instanceof Caller caller
        && caller.getPrincipal() instanceof Operator operator) {
      HttpSession session = request.getSession();
      session.setAttribute(ACTOR, operator.actorId().toString());
      session.setAttribute(SIGNED_IN_AT, clock.millis());
      // Until here it was an unknown visitor's, with the short life of those.
      session.setMaxInactiveInterval((int) IDLE.toSeconds());
      session.setAttribute(
          FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME,
          operator.actorId().toString());
      return;
    }
    HttpSession session = request.getSession(false);
    if (session != null) {
      session.removeAttribute(ACTOR);
      session.removeAttribute(SIGNED_IN_AT);
    }
  }

  @Override
  public boolean containsContext(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    return session != null && session.getAttribute(ACTOR) != null;
  }
}
