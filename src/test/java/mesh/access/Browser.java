package mesh.access;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A client of the server under test, with cookies; it follows no redirect. */
final class Browser {

  private static final Pattern CSRF = Pattern.compile("csrf=([^;]+);");

  private final CookieManager cookies = new CookieManager();
  private final HttpClient client = HttpClient.newBuilder().cookieHandler(cookies).build();
  private final int port;

  Browser(int port) {
    this.port = port;
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .version(HttpClient.Version.HTTP_1_1);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(request(path).header("Accept", "text/html"));
  }

  HttpResponse<String> withToken(String method, String path, String token, String body)
      throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body)));
  }

  HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
    return send(request(path).header("Authorization", "Bearer " + token));
  }

  HttpResponse<String> form(String path, Map<String, String> fields)
      throws IOException, InterruptedException {
    String body =
        fields.entrySet().stream()
            .map(field ->
                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "text/html")
            .POST(BodyPublishers.ofString(body)));
  }

  /** The CSRF token of a page. */
  String csrf(String path) throws IOException, InterruptedException {
    HttpResponse<String> page = get(path);
    Matcher csrf = CSRF.matcher(page.body());
    if (!csrf.find()) {
      throw new AssertionError(page.statusCode() + " without a token: " + page.body());
    }
    return csrf.group(1);
  }

  HttpResponse<String> signIn(String name, String password)
      throws IOException, InterruptedException {
    return form(
        "/sign-in", Map.of("username", name, "password", password, "_csrf", csrf("/sign-in")));
  }

  /** The session's cookie, or empty. */
  String session() {
    return cookies.getCookieStore().getCookies().stream()
        .filter(cookie -> cookie.getName().equals("mesh"))
        .map(java.net.HttpCookie::getValue)
        .findFirst()
        .orElse("");
  }

  static String code(HttpResponse<String> answer) {
    Matcher code = Pattern.compile("\"code\":\"([a-z_]+)\"").matcher(answer.body());
    return code.find() ? code.group(1) : answer.statusCode() + ": " + answer.body();
  }

  static String where(HttpResponse<String> answer) {
    String location = answer.headers().firstValue("Location").orElse("nowhere");
    return location.replaceFirst("^https?://[^/]+", "");
  }
}
