package mesh.settings;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The host under which sandboxes reach Mesh itself, if it is one that a policy can name. */
@Component
class BrokerHost {

  private final @Nullable URI address;

  /**
   * @param address where Mesh is reached from outside; empty if people use the server's own address
   */
  BrokerHost(@Value("${mesh.public-url:}") String address) {
    this.address = address.isBlank() ? null : URI.create(address.strip());
  }

  /** Empty where Mesh has no name that others could resolve, such as on localhost. */
  Optional<String> domain() {
    return Optional.ofNullable(address)
        .map(URI::getHost)
        .map(EgressDomain::of)
        .flatMap(it ->
            it instanceof EgressDomain.Valid(var domain) ? Optional.of(domain) : Optional.empty());
  }
}
