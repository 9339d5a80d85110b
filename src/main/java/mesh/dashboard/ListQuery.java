package mesh.dashboard;

import java.util.Arrays;
import java.util.Optional;
import mesh.run.RunFilter;
import mesh.run.RunStatus;
import mesh.web.Cursor;
import org.springframework.web.util.UriComponentsBuilder;

/** What part of the runs is asked for; empty texts ask for all. */
record ListQuery(String status, String agent, String actor, Optional<Cursor> cursor) {

  static final ListQuery ALL = new ListQuery("", "", "", Optional.empty());

  RunFilter filter() {
    return new RunFilter(present(agent), knownStatus(), present(actor));
  }

  boolean filters() {
    return !agent.isEmpty() || knownStatus().isPresent() || !actor.isEmpty();
  }

  /** The list's address from its start. */
  String address() {
    return from(Optional.empty());
  }

  String from(Optional<Cursor> start) {
    UriComponentsBuilder address = UriComponentsBuilder.fromPath("/runs");
    knownStatus().ifPresent(it -> address.queryParam("status", it.word()));
    present(agent).ifPresent(it -> address.queryParam("agent", "{agent}"));
    present(actor).ifPresent(it -> address.queryParam("actor", "{actor}"));
    start.ifPresent(it -> address.queryParam("cursor", it));
    return address
        .encode()
        .buildAndExpand(java.util.Map.of("agent", agent, "actor", actor))
        .toUriString();
  }

  private Optional<RunStatus> knownStatus() {
    return Arrays.stream(RunStatus.values()).filter(it -> it.word().equals(status)).findFirst();
  }

  private static Optional<String> present(String text) {
    return Optional.of(text).filter(it -> !it.isEmpty());
  }
}
