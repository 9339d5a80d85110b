package mesh.access;

import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/** Whether Mesh still waits for its first admin. Once it does not, it never does again. */
@Component
public final class SetupState {

  private final SetupRepository rows;
  private final AtomicBoolean closed = new AtomicBoolean();

  SetupState(SetupRepository rows) {
    this.rows = rows;
  }

  public boolean isOpen() {
    if (closed.get()) {
      return false;
    }
    Boolean completed = rows.completed().orElse(null);
    if (Boolean.TRUE.equals(completed)) {
      close();
    }
    return Boolean.FALSE.equals(completed);
  }

  /** Whether this is the token of the link that Mesh printed, and still in time. */
  public boolean accepts(String token) {
    return !closed.get() && rows.accepts(TokenKind.sha256(token));
  }

  void close() {
    closed.set(true);
  }
}
