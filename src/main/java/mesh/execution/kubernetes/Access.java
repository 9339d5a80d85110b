package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import mesh.execution.BackendException;
import org.jspecify.annotations.Nullable;

/**
 * Where a cluster answers and what it lets us in with.
 *
 * <p>Of a kubeconfig only what is written in it counts. Whoever may enter one in a form must not be
 * able to have Mesh's server run a program or read a file by it.
 *
 * @param server without a slash at its end
 * @param authority PEM in base64; empty for the authorities that Java trusts
 * @param trustsAnyone whether whoever answers is taken for the cluster
 * @param certificate ours, PEM in base64; empty if there is none
 * @param key to the certificate; a secret, as the token is
 * @param token read anew for each request, for a cluster renews those it hands to pods; empty for
 *     none
 */
record Access(
    String server,
    String authority,
    boolean trustsAnyone,
    String certificate,
    String key,
    Supplier<String> token) {

  private static final Path OF_POD = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /** As the kubeconfig's current context has it. */
  static Access of(String kubeconfig) {
    var config = parsed(kubeconfig);
    var context =
        named(
            config.getContexts(),
            NamedContext::getName,
            NamedContext::getContext,
            config.getCurrentContext(),
            "current context");
    var cluster =
        named(
            config.getClusters(),
            NamedCluster::getName,
            NamedCluster::getCluster,
            context.getCluster(),
            "cluster");
    var user =
        named(
            config.getUsers(),
            NamedAuthInfo::getName,
            NamedAuthInfo::getUser,
            context.getUser(),
            "user");
    return of(cluster, user);
  }

  private static Access of(Cluster cluster, AuthInfo user) {
    if (user.getExec() != null || user.getAuthProvider() != null) {
      throw refused(
          "has a program called for its credential, which Mesh does not run: make a service"
              + " account and enter its token");
    }
    if (Stream.of(
            cluster.getCertificateAuthority(),
            user.getClientCertificate(),
            user.getClientKey(),
            user.getTokenFile())
        .anyMatch(Access::isSet)) {
      throw refused(
          "names files, which Mesh does not read: make one that holds everything with `kubectl"
              + " config view --raw --flatten --minify`");
    }
    var token = text(user.getToken()).strip();
    if (token.isEmpty() && text(user.getClientKeyData()).isEmpty()) {
      throw refused("holds neither a token nor a client certificate with its key");
    }
    if (!token.chars().allMatch(character -> character > ' ' && character < 127)) {
      throw refused("has a token that holds a character that no token has");
    }
    return new Access(
        address(text(cluster.getServer())),
        text(cluster.getCertificateAuthorityData()),
        Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify()),
        text(user.getClientCertificateData()),
        text(user.getClientKeyData()),
        () -> token);
  }

  /** As Kubernetes tells the pods it runs. */
  static Access ofPod() {
    var host = System.getenv("KUBERNETES_SERVICE_HOST");
    var port = System.getenv("KUBERNETES_SERVICE_PORT");
    if (host == null || port == null) {
      throw new BackendException.Rejected(
          "no kubeconfig was entered, and Mesh does not itself run in a Kubernetes cluster", null);
    }
    var address = "https://%s:%s".formatted(host.contains(":") ? "[" + host + "]" : host, port);
    var authority = java.util.Base64.getEncoder().encodeToString(bytes(OF_POD.resolve("ca.crt")));
    return new Access(
        address,
        authority,
        false,
        "",
        "",
        () ->
            new String(bytes(OF_POD.resolve("token")), java.nio.charset.StandardCharsets.UTF_8)
                .strip());
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException missing) {
      throw new BackendException.Rejected(
          "no kubeconfig was entered, and Mesh's own pod has no service account token", missing);
    }
  }

  private static io.fabric8.kubernetes.api.model.Config parsed(String kubeconfig) {
    try {
      var config =
          Serialization.unmarshal(kubeconfig, io.fabric8.kubernetes.api.model.Config.class);
      return Objects.requireNonNull(config);
    } catch (RuntimeException notOne) {
      // Without the cause, which quotes the text.
      throw refused("is not one: it cannot be read as YAML");
    }
  }

  private static <N, V> V named(
      List<N> list,
      Function<N, String> name,
      Function<N, @Nullable V> value,
      @Nullable String wanted,
      String what) {
    return list.stream()
        .filter(item -> wanted != null && wanted.equals(name.apply(item)))
        .map(value)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> refused("has no " + what));
  }

  private static String address(String server) {
    try {
      var uri = URI.create(server.strip());
      if (uri.getHost() != null && List.of("https", "http").contains(uri.getScheme())) {
        return server.strip().replaceAll("/+$", "");
      }
    } catch (IllegalArgumentException noAddress) {
      // Said below.
    }
    throw refused("has no server whose address begins with https:// or http://");
  }

  private static BackendException.Rejected refused(String why) {
    return new BackendException.Rejected("the kubeconfig " + why, null);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static boolean isSet(@Nullable String value) {
    return !text(value).isEmpty();
  }

  /** For the client that makes and finds objects. */
  Config config() {
    // Not by a builder, which would begin with what Mesh's server has in its home directory.
    var config = Config.empty();
    config.setMasterUrl(server + "/");
    config.setTrustCerts(trustsAnyone);
    config.setCaCertData(authority.isEmpty() ? null : authority);
    config.setClientCertData(certificate.isEmpty() ? null : certificate);
    config.setClientKeyData(key.isEmpty() ? null : key);
    config.setOauthTokenProvider(token::get);
    config.setConnectionTimeout(10_000);
    config.setRequestTimeout(60_000);
    // Attempts are counted in one place, which is not there.
    config.setRequestRetryBackoffLimit(0);
    return config;
  }

  /** For exec sockets. */
  SSLContext tls() {
    try {
      return SSLUtils.sslContext(config());
    } catch (GeneralSecurityException notOne) {
      throw refused("holds a certificate or key that cannot be read");
    } catch (IOException notOne) {
      throw new UncheckedIOException(notOne);
    }
  }

  /** The cluster's words without our token, in case it echoes what it was sent. */
  String cleaned(String words) {
    var secret = token.get();
    return secret.isEmpty() ? words : words.replace(secret, "[secret]");
  }

  @Override
  public String toString() {
    return "Access[" + server + "]";
  }
}
