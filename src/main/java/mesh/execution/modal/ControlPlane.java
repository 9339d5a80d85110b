package mesh.execution.modal;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import mesh.execution.remote.Patience;
import modal.client.ModalClientGrpc;
import modal.client.ModalClientGrpc.ModalClientBlockingStub;

/** Calls to the vendor's own address, by which everything is made and ended. */
final class ControlPlane implements AutoCloseable {

  private static final long IDLE_SECONDS = 300;

  private final Account account;
  private final Ambience ambience;
  private final Patience patience;
  private final Refusals refusals;
  private final ManagedChannel channel;
  private final AuthTokens tokens;

  ControlPlane(Account account, Ambience ambience, Patience patience) {
    this.account = account;
    this.ambience = ambience;
    this.patience = patience;
    this.refusals = new Refusals(account);
    boolean plaintext = "http".equals(account.base().getScheme());
    this.channel = Calls.channel(account.base(), plaintext, IDLE_SECONDS);
    this.tokens = new AuthTokens(channel, account, ambience);
  }

  /** One call. Throws {@link StatusRuntimeException} where it fails. */
  @FunctionalInterface
  interface Ask<A> {
    A of(ModalClientBlockingStub stub);
  }

  Refusals refusals() {
    return refusals;
  }

  Patience patience() {
    return patience;
  }

  /** Names what is one request to the vendor, however often it is sent. */
  String newRequest() {
    return ambience.ids().get().toString();
  }

  /** Asks as often as it takes. For requests that may be served twice without harm. */
  <A> A asking(Duration limit, Ask<A> ask) throws InterruptedException {
    var request = newRequest();
    return patience.retrying(() -> {
      try {
        return once(request, limit, ask);
      } catch (StatusRuntimeException failed) {
        throw refusals.of(failed);
      }
    });
  }

  /**
   * Asks once, or twice where only the token had ended.
   *
   * @throws StatusRuntimeException if it failed
   */
  <A> A once(String request, Duration limit, Ask<A> ask) throws InterruptedException {
    var token = tokens.get();
    try {
      return send(token, request, limit, ask);
    } catch (StatusRuntimeException failed) {
      if (Calls.code(failed) != Status.Code.UNAUTHENTICATED) {
        throw failed;
      }
      tokens.refused(token);
      return send(tokens.get(), request, limit, ask);
    }
  }

  private <A> A send(String token, String request, Duration limit, Ask<A> ask)
      throws InterruptedException {
    var headers = account.headers();
    headers.put(Account.key("x-modal-auth-token"), token);
    headers.put(Account.key("x-idempotency-key"), request);
    var stub =
        ModalClientGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS);
    return Calls.interruptibly(() -> ask.of(stub));
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
