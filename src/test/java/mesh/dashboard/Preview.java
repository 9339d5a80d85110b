package mesh.dashboard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.ProblemPage;
import mesh.dashboard.view.RawPage;
import mesh.dashboard.view.SetUpPage;
import mesh.dashboard.view.SignInPage;

/** Serves the sample pages on 127.0.0.1 for ten minutes, to look at while drawing them. */
final class Preview {

  private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(ContentType.Html);

  private Preview() {}

  static Map<String, Object> page(String path) {
    return switch (path) {
      case "/sign-in" -> Map.of("sign-in", new SignInPage(Samples.frame(), "", "", true));
      case "/sign-in-failed" ->
          Map.of(
              "sign-in",
              new SignInPage(
                  Samples.frame(),
                  "This name and password do not belong together. Check both and try again.",
                  "",
                  false));
      case "/setup" -> Map.of("setup", new SetUpPage(Samples.frame(), true, "t", false, List.of()));
      case "/setup-errors" ->
          Map.of(
              "setup",
              new SetUpPage(
                  Samples.frame(),
                  true,
                  "t",
                  false,
                  List.of(
                      new FieldError(
                          "password", "Make the password at least 12 characters long."))));
      case "/setup-closed" ->
          Map.of("setup", new SetUpPage(Samples.frame(), false, "", true, List.of()));
      case "/404" ->
          Map.of(
              "problem",
              new ProblemPage(
                  Samples.frame(),
                  404,
                  "There is no such page",
                  "No run, agent or page has this address.",
                  "Check the address, or look for it among the runs.",
                  ""));
      case "/empty" -> Map.of("runs", Samples.nothing());
      case "/refused" -> Map.of("runs", Samples.refused());
      case "/run" -> Map.of("run", Samples.run(true));
      case "/run-ended" -> Map.of("run", Samples.run(false));
      case "/raw" ->
          Map.of(
              "raw",
              new RawPage(
                  Samples.shell("/raw"),
                  Samples.head(false),
                  "Fix the flaky test",
                  "[\n  {\n    \"seq\": 1\n  }\n]"));
      default -> Map.of("runs", Samples.runs(25));
    };
  }

  static String html(String path) {
    Map.Entry<String, Object> page = page(path).entrySet().iterator().next();
    StringOutput output = new StringOutput();
    ENGINE.render(page.getKey() + ".jte", page.getValue(), output);
    return output.toString();
  }

  public static void main(String[] arguments) throws Exception {
    int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 18099;
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", Preview::answer);
    server.start();
    System.out.println("ready on " + port);
    // Long enough to look at everything; nobody forgets it for ever.
    boolean _ = new CountDownLatch(1).await(10, TimeUnit.MINUTES);
    server.stop(0);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String type = "text/html;charset=utf-8";
    byte[] body;
    try {
      if (path.startsWith("/assets/")) {
        body = Files.readAllBytes(Path.of("src/main/resources/static" + path));
        type =
            path.endsWith(".css")
                ? "text/css"
                : path.endsWith(".js") ? "text/javascript" : "image/svg+xml";
      } else if (path.startsWith("/webjars/")) {
        try (InputStream in = Preview.class.getResourceAsStream("/META-INF/resources" + path)) {
          body = in.readAllBytes();
        }
        type = "text/javascript";
      } else {
        String html = html(path);
        if (String.valueOf(exchange.getRequestURI().getQuery()).contains("dark")) {
          html = html.replace("data-theme=\"auto\"", "data-theme=\"dark\"");
        }
        body = html.getBytes(StandardCharsets.UTF_8);
      }
    } catch (RuntimeException | IOException e) {
      e.printStackTrace();
      body = String.valueOf(e).getBytes(StandardCharsets.UTF_8);
    }
    exchange.getResponseHeaders().add("Content-Type", type);
    exchange
        .getResponseHeaders()
        .add(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
