package mesh.simulator.kubernetes;

/**
 * What a request asks for, as a role's rules say it; faults and assertions are per kind.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code
 *     patch}, {@code delete} or {@code deletecollection}; for a command it is {@code create}
 *     whatever the method
 * @param resource with its subresource, for example {@code pods/exec}; {@code discovery} for what
 *     tells about the API itself
 */
public record CallKind(String verb, String resource) {

  public static final CallKind CREATE_POD = new CallKind("create", "pods");
  public static final CallKind GET_POD = new CallKind("get", "pods");
  public static final CallKind LIST_PODS = new CallKind("list", "pods");
  public static final CallKind WATCH_PODS = new CallKind("watch", "pods");
  public static final CallKind DELETE_POD = new CallKind("delete", "pods");

  /** The WebSocket that starts a command. */
  public static final CallKind EXEC = new CallKind("create", "pods/exec");

  public static final CallKind DISCOVERY = new CallKind("get", "discovery");
}
