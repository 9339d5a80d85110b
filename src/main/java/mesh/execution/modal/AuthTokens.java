package mesh.execution.modal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import modal.client.AuthTokenGetRequest;
import modal.client.ModalClientGrpc;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The short-lived token that calls carry beside the account's own, fetched by one caller for all
 * and again when about half of its life is over.
 */
final class AuthTokens {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** What the vendor's clients take for the life of a token that does not say. */
  private static final Duration UNSAID = Duration.ofMinutes(20);

  /** Of a token that has ended by our own clock, which may be wrong. */
  private static final Duration LEAST = Duration.ofSeconds(10);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
  private static final JsonMapper JSON = new JsonMapper();

  private final ManagedChannel channel;
  private final Account account;
  private final Ambience ambience;
  private final ReentrantLock renewing = new ReentrantLock();
  private volatile @Nullable Token held;

  /**
   * @param renewal and {@code end}, by {@link System#nanoTime}
   */
  private record Token(String text, long renewal, long end) {

    boolean isFresh() {
      return renewal - System.nanoTime() > 0;
    }

    boolean isGood() {
      return end - System.nanoTime() > 0;
    }

    @Override
    public String toString() {
      return "Token[]";
    }
  }

  AuthTokens(ManagedChannel channel, Account account, Ambience ambience) {
    this.channel = channel;
    this.account = account;
    this.ambience = ambience;
  }

  String get() throws InterruptedException {
    var token = held;
    if (token != null && token.isFresh()) {
      return token.text();
    }
    if (token == null || !token.isGood()) {
      renewing.lockInterruptibly();
    } else if (!renewing.tryLock()) {
      // Somebody else is at it, and this one is good until then.
      return token.text();
    }
    try {
      return renewed();
    } finally {
      renewing.unlock();
    }
  }

  private String renewed() throws InterruptedException {
    var token = held;
    if (token != null && token.isFresh()) {
      return token.text();
    }
    try {
      var fetched = fetched();
      held = fetched;
      return fetched.text();
    } catch (StatusRuntimeException failed) {
      if (token == null || !token.isGood() || !Calls.mayPass(failed)) {
        throw failed;
      }
      held = new Token(token.text(), System.nanoTime() + AFTER_FAILURE.toNanos(), token.end());
      return token.text();
    }
  }

  private Token fetched() throws InterruptedException {
    var stub =
        ModalClientGrpc.newBlockingStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(account.headers()))
            .withDeadlineAfter(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    var text =
        Calls.interruptibly(() -> stub.authTokenGet(AuthTokenGetRequest.getDefaultInstance()))
            .getToken();
    long now = System.nanoTime();
    long life = life(text).toNanos();
    // A little later each time, so that instances that started together do not stay together.
    long renewal = life / 2 + ambience.random().nextLong(life / 10);
    return new Token(text, now + renewal, now + life);
  }

  /** Read and not verified: the vendor does that. */
  private Duration life(String text) {
    try {
      var claims = new String(Base64.getUrlDecoder().decode(text.split("\\.", -1)[1]), UTF_8);
      long end = JSON.readTree(claims).path("exp").asLong(0);
      var life = Duration.between(ambience.clock().instant(), Instant.ofEpochSecond(end));
      return end == 0 ? UNSAID : life.compareTo(LEAST) < 0 ? LEAST : life;
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException | JacksonException other) {
      return UNSAID;
    }
  }

  /** The vendor did not accept it: our clock may be wrong. */
  void refused(String text) {
    var token = held;
    if (token != null && token.text().equals(text)) {
      held = null;
    }
  }
}
