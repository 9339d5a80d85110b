package mesh.fault;

import java.util.concurrent.atomic.AtomicReference;

/** Lets a test have this JVM's fault points; it is the only listener that tests' own JVM finds. */
public final class InProcessFaults implements FaultPoint.Listener {

  private static final AtomicReference<FaultPoint.Listener> CURRENT =
      new AtomicReference<>(_ -> {});

  @Override
  public void reached(FaultPoint point) {
    CURRENT.get().reached(point);
  }

  /** Until the next call, and for the whole JVM. */
  public static void hear(FaultPoint.Listener listener) {
    CURRENT.set(listener);
  }

  public static void hearNothing() {
    CURRENT.set(_ -> {});
  }
}
