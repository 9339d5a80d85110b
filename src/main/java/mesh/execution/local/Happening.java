package mesh.execution.local;

import java.nio.ByteBuffer;

/** What the threads around a command tell the one that runs it. */
sealed interface Happening {

  record Printed(Outlet outlet, ByteBuffer bytes) implements Happening {}

  record Ended(Outlet outlet) implements Happening {}

  record LeaderExited(boolean timedOut) implements Happening {}
}
