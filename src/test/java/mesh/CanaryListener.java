package mesh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has all that is printed during the tests, which is where Mesh logs, observed. */
public final class CanaryListener implements BeforeAllCallback {

  private static boolean listening;

  @Override
  public synchronized void beforeAll(ExtensionContext context) {
    listen();
  }

  private static synchronized void listen() {
    if (!listening) {
      listening = true;
      System.setOut(new PrintStream(Canaries.observing(System.out), true, UTF_8));
      System.setErr(new PrintStream(Canaries.observing(System.err), true, UTF_8));
    }
  }
}
