package mesh.dashboard;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The accessibility checker axe-core, from npm. */
final class Axe {

  private static final Path FOLDER = Path.of("target", "axe");
  private static final Path SCRIPT = FOLDER.resolve("node_modules/axe-core/axe.min.js");

  private final String script;

  private Axe(String script) {
    this.script = script;
  }

  /** Empty if npm is not there or cannot fetch it. */
  static Optional<Axe> installed() {
    try {
      if (!Files.exists(SCRIPT) && !install()) {
        return Optional.empty();
      }
      return Optional.of(new Axe(Files.readString(SCRIPT)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean install() throws IOException {
    Files.createDirectories(FOLDER);
    Process npm =
        new ProcessBuilder(
                "npm",
                "install",
                "--prefix",
                ".",
                "--no-save",
                "--no-audit",
                "--no-fund",
                "axe-core@4")
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(FOLDER.resolve("npm.log").toFile())
            .start();
    try {
      if (npm.waitFor(60, TimeUnit.SECONDS)) {
        return npm.exitValue() == 0 && Files.exists(SCRIPT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    npm.destroyForcibly();
    return false;
  }

  /** What is serious or critical on this page, one line each. */
  @SuppressWarnings("unchecked")
  List<String> findings(Page page) {
    page.evaluate(script);
    Object found =
        page.evaluate(
            """
            async () => (await axe.run(document, {resultTypes: ['violations']})).violations
              .filter(it => it.impact === 'serious' || it.impact === 'critical')
              .map(it => ({id: it.id, help: it.help,
                           nodes: it.nodes.slice(0, 3).map(n => n.html + ' ' + n.failureSummary).join(' | ')}))
            """);
    return ((List<Map<String, Object>>) found)
        .stream().map(it -> it.get("id") + ": " + it.get("help") + ": " + it.get("nodes")).toList();
  }
}
