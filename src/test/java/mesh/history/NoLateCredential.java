package mesh.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import mesh.history.Event.Called;
import mesh.history.Event.Known;
import mesh.history.Event.What;
import mesh.history.Event.Wrote;

/**
 * I5: no write of a credential ends after a revocation of it was answered. The vendor sees which
 * command was sent which credential, and when that command ended. An answer that says that writes
 * may still be under way (202) promises nothing here. A vendor that could not be told to end a
 * write ends it with its connection.
 */
final class NoLateCredential implements Invariant {

  private static final int DRAINED = 200;

  private final Duration lag;

  NoLateCredential(Promises promises) {
    this.lag = promises.unkillable();
  }

  @Override
  public String name() {
    return "I5";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var known = new HashMap<String, Known>();
    history.all(Known.class).forEach(one -> known.put(one.credential(), one));
    var spans = new HashMap<String, Span>();
    timeline
        .lives()
        .forEach(life ->
            life.commands().forEach(command -> spans.put(id(command.began()), command.span())));
    var decisions =
        history
            .all(Called.class)
            .filter(call -> !call.provider().isEmpty())
            .collect(Collectors.groupingBy(call -> call.subject() + call.provider()));
    var violations = new ArrayList<Violation>();
    history
        .all(Wrote.class)
        .forEach(write -> {
          var credential = known.get(write.credential());
          var span = spans.get(write.sandbox() + "/" + write.command());
          if (credential != null && span != null) {
            late(
                    decisions.getOrDefault(credential.agent() + credential.provider(), List.of()),
                    credential,
                    span)
                .ifPresent(revocation ->
                    violations.add(
                        new Violation(
                            name(),
                            "a write of credential %s ended at %s, after its revocation was answered"
                                .formatted(write.credential(), span.until()),
                            List.of(credential, revocation, write))));
          }
        });
    return violations;
  }

  private static String id(Event.Began began) {
    return began.sandbox() + "/" + began.command();
  }

  /** The answered revocation that this write outlived, and nothing permitted it again. */
  private Optional<Called> late(List<Called> decisions, Known credential, Span write) {
    return decisions.stream()
        .filter(call -> !call.at().isBefore(credential.at()))
        .dropWhile(call -> call.what() != What.CREDENTIAL_SET)
        // The one that set it; whoever sets several does one after the other.
        .skip(1)
        .filter(call -> call.what() == What.CREDENTIAL_SET || call.what() == What.FORBIDDEN)
        .filter(call -> call.status() == DRAINED)
        .filter(call -> Objects.requireNonNull(call.answered()).plus(lag).isBefore(write.until()))
        .filter(call -> call.what() == What.CREDENTIAL_SET || !permitted(decisions, call, write))
        .findFirst();
  }

  /** Perhaps: whoever asks for it may be served before he is answered. */
  private static boolean permitted(List<Called> decisions, Called forbidden, Span write) {
    return decisions.stream()
        .anyMatch(again ->
            again.what() == What.PERMITTED
                && again.at().isAfter(forbidden.at())
                && again.at().isBefore(write.until()));
  }
}
