package mesh.webhook;

import java.time.Clock;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import mesh.run.Run;
import mesh.run.RunAwaitsInput;
import mesh.run.RunCreated;
import mesh.run.RunEnded;
import mesh.run.RunId;
import mesh.run.RunNoticed;
import mesh.run.Runs;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes down what receivers are to be told, in the transaction of what it tells of: neither is
 * there without the other. While that transaction changes a run it holds the run's row, so that
 * what happens to one run is written down in its order.
 */
@Component
class Outbox {

  private final Runs runs;
  private final DeliveryRepository deliveries;
  private final Payloads payloads;
  private final Dispatcher dispatcher;
  private final Supplier<UUID> ids;
  private final Clock clock;

  Outbox(
      Runs runs,
      DeliveryRepository deliveries,
      Payloads payloads,
      Dispatcher dispatcher,
      Supplier<UUID> ids,
      Clock clock) {
    this.runs = runs;
    this.deliveries = deliveries;
    this.payloads = payloads;
    this.dispatcher = dispatcher;
    this.ids = ids;
    this.clock = clock;
  }

  @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
  void created(RunCreated event) {
    write(EventType.RUN_CREATED, event.run(), payloads::created);
  }

  @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
  void noticed(RunNoticed event) {
    write(EventType.RUN_NOTICE, event.run(), run -> payloads.noticed(run, event));
  }

  /** Rather by itself than not at all, should whoever publishes it have no transaction. */
  @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT, fallbackExecution = true)
  void awaitsInput(RunAwaitsInput event) {
    write(EventType.RUN_AWAITING_INPUT, event.run(), run -> payloads.awaitsInput(run, event));
  }

  @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
  void ended(RunEnded event) {
    write(EventType.RUN_ENDED, event.run(), payloads::ended);
  }

  private void write(EventType type, RunId id, Function<Run, ObjectNode> data) {
    var run = runs.find(id).orElseThrow();
    var receivers = deliveries.subscribed(type, run.agent());
    if (receivers.isEmpty()) {
      return;
    }
    var told = data.apply(run);
    var now = clock.instant();
    for (var receiver : receivers) {
      var delivery = new DeliveryId(ids.get());
      deliveries.insert(
          delivery,
          receiver,
          id,
          type,
          payloads.body(delivery.value(), type.word(), now, told),
          now);
    }
    wakeAfterCommit();
  }

  private void wakeAfterCommit() {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      dispatcher.wake();
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            dispatcher.wake();
          }
        });
  }
}
