package mesh.simulator.sprites;

/** What a request asks for; faults and assertions are per kind. */
public enum CallKind {
  CREATE,
  GET,
  LIST,
  UPDATE,
  DELETE,
  FS_READ,
  FS_WRITE,
  FS_LIST,
  /** Delete, rename, copy, chmod and chown. */
  FS_CHANGE,
  /** The WebSocket that starts a command. */
  EXEC,
  /** The WebSocket that joins a running command. */
  ATTACH,
  EXEC_LIST,
  KILL,
  SERVICE_LIST,
  SERVICE_CREATE,
  SERVICE_DELETE,
  POLICY_READ,
  POLICY_WRITE,
  CHECKPOINT_CREATE,
  CHECKPOINT_LIST,
  CHECKPOINT_RESTORE,
  CHECKPOINT_DELETE,
  /** No call of this simulator: answered 404. */
  UNKNOWN
}
