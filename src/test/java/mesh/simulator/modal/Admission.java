package mesh.simulator.modal;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import modal.client.ModalClientGrpc;
import org.jspecify.annotations.Nullable;

/** Lets in calls that say who they are from as the vendor demands it. */
final class Admission implements ServerInterceptor {

  /** The task that a router's token is for. */
  static final Context.Key<String> TASK = Context.key("task");

  /** The subject of tokens for the control plane. */
  static final String CLIENT = "client";

  private static final String BEARER = "Bearer ";

  private final Tokens tokens;
  private final Settings settings;
  private final String tokenId;
  private final String tokenSecret;

  Admission(Tokens tokens, Settings settings, String tokenId, String tokenSecret) {
    this.tokens = tokens;
    this.settings = settings;
    this.tokenId = tokenId;
    this.tokenSecret = tokenSecret;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    try {
      var method = call.getMethodDescriptor();
      if (ModalClientGrpc.SERVICE_NAME.equals(method.getServiceName())) {
        admitClient(String.valueOf(method.getBareMethodName()), headers);
        return next.startCall(call, headers);
      }
      var context = Context.current().withValue(TASK, task(headers));
      return Contexts.interceptCall(context, call, headers, next);
    } catch (StatusRuntimeException e) {
      call.close(e.getStatus(), new Metadata());
      return new ServerCall.Listener<>() {};
    }
  }

  private void admitClient(String method, Metadata headers) {
    if (!tokenId.equals(value(headers, "x-modal-token-id"))
        || !tokenSecret.equals(value(headers, "x-modal-token-secret"))) {
      throw Refusal.unauthenticated("Token missing or invalid");
    }
    if (value(headers, "x-modal-client-type") == null
        || value(headers, "x-modal-client-version") == null) {
      throw Refusal.invalid("x-modal-client-type and x-modal-client-version are required");
    }
    var token = value(headers, "x-modal-auth-token");
    if (token == null && !method.endsWith("V2")) {
      return;
    }
    if (token == null || tokens.subject(token, settings.now()).filter(CLIENT::equals).isEmpty()) {
      throw Refusal.unauthenticated("Auth token missing, invalid or expired");
    }
  }

  private String task(Metadata headers) {
    var authorization = value(headers, "authorization");
    if (authorization == null || !authorization.startsWith(BEARER)) {
      throw Refusal.unauthenticated("a bearer token is required");
    }
    return tokens
        .subject(authorization.substring(BEARER.length()), settings.now())
        .orElseThrow(() -> Refusal.unauthenticated("the token is invalid or expired"));
  }

  private static @Nullable String value(Metadata headers, String name) {
    return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }
}
