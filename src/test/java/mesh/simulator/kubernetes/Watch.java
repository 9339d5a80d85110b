package mesh.simulator.kubernetes;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Tells one client what happens to the objects it selected. */
final class Watch {

  private static final Duration BETWEEN_BOOKMARKS = Duration.ofSeconds(5);
  private static final long DEFAULT_SECONDS = 1800;

  /** Enough of them were sent. */
  private static final class Enough extends Exception {
    private static final long serialVersionUID = 1;
  }

  private final Store store;
  private final Target target;
  private final Selector selector;
  private final String since;
  private final boolean bookmarks;
  private final boolean initialEvents;
  private final long end;
  private final Optional<Fault> fault;
  private int sent;

  Watch(Store store, Call call, Target target, Optional<Fault> fault) {
    this.store = store;
    this.target = target;
    this.selector = call.selector();
    this.since = call.value("resourceVersion");
    this.bookmarks = call.query().flag("allowWatchBookmarks");
    this.initialEvents = call.query().flag("sendInitialEvents");
    var seconds = call.value("timeoutSeconds");
    this.end =
        System.nanoTime()
            + Duration.ofSeconds(seconds.isEmpty() ? DEFAULT_SECONDS : Long.parseLong(seconds))
                .toNanos();
    this.fault = fault;
  }

  /** Takes one event. */
  @FunctionalInterface
  interface Client {
    void hear(String event) throws IOException;
  }

  /** Returns when it is over. */
  void tell(Client client) throws IOException, InterruptedException {
    try {
      if (fault.orElse(null) instanceof Fault.WatchExpired) {
        throw Refusal.expired("too old resource version: " + since + " (" + store.version() + ")");
      }
      follow(client);
    } catch (Refusal e) {
      write(client, "ERROR", e.status());
    } catch (Enough e) {
      // The client sees an answer that has ended.
    }
  }

  private void follow(Client client) throws IOException, InterruptedException, Enough {
    var at = 0L;
    if (initialEvents || since.isEmpty() || since.equals("0")) {
      var listing = store.list(target.type(), target.namespace());
      at = listing.version();
      for (var object : listing.objects()) {
        if (selector.matches(object)) {
          tell(client, "ADDED", object);
        }
      }
      if (initialEvents) {
        bookmark(client, at, true);
      }
    } else {
      at = Long.parseLong(since);
    }
    for (var left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      var known = store.version();
      var patience = Duration.ofNanos(Math.min(left, BETWEEN_BOOKMARKS.toNanos()));
      var changes = store.changesAfter(at, target.type(), target.namespace(), patience);
      for (var change : changes) {
        at = change.version();
        tell(client, change);
      }
      // Else what happens to other types would make this watch too old some day.
      at = changes.isEmpty() ? Math.max(at, known) : at;
      if (changes.isEmpty() && bookmarks) {
        bookmark(client, at, false);
      }
    }
  }

  /** Whoever begins or ceases to be selected comes and goes, for this client. */
  private void tell(Client client, Change change) throws IOException, Enough {
    var is = change.kind() != Change.Kind.DELETED && selector.matches(change.object());
    var was = change.before() != null && selector.matches(change.before());
    if (is) {
      tell(client, was ? "MODIFIED" : "ADDED", change.object());
    } else if (was) {
      tell(client, "DELETED", change.object());
    }
  }

  private void tell(Client client, String type, ObjectNode object) throws IOException, Enough {
    if (fault.orElse(null) instanceof Fault.WatchCut(var events) && sent >= events) {
      throw new Enough();
    }
    sent++;
    write(client, type, object);
  }

  private void bookmark(Client client, long version, boolean initial) throws IOException {
    var metadata = Json.empty().put("resourceVersion", Long.toString(version));
    if (initial) {
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    }
    write(
        client,
        "BOOKMARK",
        Json.object(
            Map.of(
                "kind",
                target.type().kind(),
                "apiVersion",
                target.type().apiVersion(),
                "metadata",
                metadata)));
  }

  private static void write(Client client, String type, ObjectNode object) throws IOException {
    client.hear(Json.write(Map.of("type", type, "object", object)));
  }
}
