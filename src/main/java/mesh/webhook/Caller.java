package mesh.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import mesh.outbound.Destination;
import mesh.outbound.DestinationRefused;
import mesh.outbound.OutboundGuard;
import mesh.redaction.Redactions;
import mesh.redaction.SecretSet;
import mesh.secret.SealBroken;
import okhttp3.ConnectionPool;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * One signed call to a receiver, with the headers of <a
 * href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">Standard
 * Webhooks 1.0.0</a>: {@code webhook-id}, {@code webhook-timestamp}, {@code webhook-signature}.
 * Goes where the outbound guard lets it, follows no redirect, ends after the timeout and reads no
 * more of the answer than it tells of.
 */
@Component
class Caller {

  private static final MediaType JSON = MediaType.get("application/json");

  /** Of an answer, in bytes and in characters. */
  private static final int READ = 1024;

  private static final int EXCERPT = 160;
  private static final int GONE = 410;
  private static final Duration LONGEST_WAIT = Duration.ofHours(24);

  private final OutboundGuard guard;
  private final SealedSecrets secrets;
  private final Clock clock;
  private final OkHttpClient client;

  Caller(OutboundGuard guard, SealedSecrets secrets, Clock clock, WebhookLimits limits) {
    this.guard = guard;
    this.secrets = secrets;
    this.clock = clock;
    // A connection of its own for each call: one that was left open would outlive a name's change.
    this.client =
        new OkHttpClient.Builder()
            .callTimeout(limits.timeout())
            .connectTimeout(limits.timeout())
            .readTimeout(limits.timeout())
            .writeTimeout(limits.timeout())
            .retryOnConnectionFailure(false)
            .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS))
            .build();
  }

  /** Never inside a transaction. */
  Answer call(Target target, String id, String payload) {
    List<SigningSecret> signing;
    Destination destination;
    try {
      signing = signing(target);
      destination = Destination.of(target.url(), target.allowPrivate());
    } catch (SealBroken broken) {
      return notTaken("The signing secret does not open: rotate it.");
    } catch (IllegalArgumentException refused) {
      return notTaken(String.valueOf(refused.getMessage()));
    }
    try (var response =
        guard
            .hold(client.newBuilder(), destination)
            .build()
            .newCall(request(destination, signing, id, payload))
            .execute()) {
      return answer(response, known(signing));
    } catch (DestinationRefused refused) {
      return notTaken(refused.sentence());
    } catch (InterruptedIOException late) {
      return notTaken("No answer within %d s.".formatted(client.callTimeoutMillis() / 1000));
    } catch (IOException broken) {
      return notTaken(
          "No answer: %s"
              .formatted(oneLine(known(signing).apply(String.valueOf(broken.getMessage())))));
    }
  }

  /** Ends what is under way. */
  void cancelAll() {
    client.dispatcher().cancelAll();
  }

  private List<SigningSecret> signing(Target target) {
    var signing = new ArrayList<SigningSecret>();
    signing.add(secrets.open(target.webhook(), target.secret()));
    if (target.previous() != null) {
      signing.add(secrets.open(target.webhook(), target.previous()));
    }
    return signing;
  }

  private Request request(
      Destination destination, List<SigningSecret> signing, String id, String payload) {
    var body = payload.getBytes(UTF_8);
    long timestamp = clock.instant().getEpochSecond();
    return new Request.Builder()
        .url(destination.uri().toString())
        .header("User-Agent", "Mesh-Webhooks")
        .header("webhook-id", id)
        .header("webhook-timestamp", Long.toString(timestamp))
        .header(
            "webhook-signature",
            signing.stream()
                .map(secret -> secret.signature(id, timestamp, body))
                .collect(Collectors.joining(" ")))
        .post(RequestBody.create(body, JSON))
        .build();
  }

  private static Redactions known(List<SigningSecret> signing) {
    return SecretSet.of(signing.stream().map(SigningSecret::text).toList());
  }

  private Answer answer(Response response, Redactions known) {
    int status = response.code();
    if (response.isSuccessful()) {
      return new Answer.Taken(status);
    }
    if (status == GONE) {
      return new Answer.Gone("Answered 410: the receiver is gone.");
    }
    if (response.isRedirect()) {
      return new Answer.NotTaken(
          status,
          "Answered %d: Mesh follows no redirect, so write the address it leads to."
              .formatted(status),
          false,
          null);
    }
    var excerpt = oneLine(known.apply(beginning(response)));
    return new Answer.NotTaken(
        status,
        "Answered %d%s".formatted(status, excerpt.isEmpty() ? "." : ": " + excerpt),
        status == 429 || status == 503,
        retryAfter(response));
  }

  /** RFC 9110, section 10.2.3: seconds or a date. */
  private @Nullable Duration retryAfter(Response response) {
    var text = response.header("Retry-After");
    if (text == null) {
      return null;
    }
    try {
      var asked =
          text.strip().matches("[0-9]{1,9}")
              ? Duration.ofSeconds(Long.parseLong(text.strip()))
              : Duration.between(
                  clock.instant(),
                  ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                      .toInstant());
      if (asked.isNegative()) {
        return null;
      }
      return asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT;
    } catch (DateTimeException unreadable) {
      return null;
    }
  }

  private static String beginning(Response response) {
    try {
      var source = response.body().source();
      source.request(READ);
      var read = source.getBuffer();
      return read.readUtf8(Math.min(READ, read.size()));
    } catch (IOException cutOff) {
      return "";
    }
  }

  private static String oneLine(String text) {
    var line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() > EXCERPT ? line.substring(0, EXCERPT) + "…" : line;
  }

  private static Answer notTaken(String error) {
    return new Answer.NotTaken(null, error, false, null);
  }
}
