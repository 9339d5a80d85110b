package mesh.access;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How Mesh is reached from outside.
 *
 * @param publicUrl {@code MESH_PUBLIC_URL}, without a path; null if people use the server's own
 *     address
 * @param behindProxy {@code MESH_BEHIND_PROXY}: a proxy that is trusted is in front, ends TLS and
 *     tells callers' addresses in {@code X-Forwarded-…}
 */
@ConfigurationProperties("mesh")
record AccessSettings(@Nullable URI publicUrl, boolean behindProxy) {

  Optional<URI> url() {
    return publicUrl == null || publicUrl.toString().isBlank()
        ? Optional.empty()
        : Optional.of(publicUrl);
  }

  boolean https() {
    return url()
        .map(URI::getScheme)
        .filter(scheme -> scheme.toLowerCase(Locale.ROOT).equals("https"))
        .isPresent();
  }
}
