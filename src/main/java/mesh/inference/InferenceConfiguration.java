package mesh.inference;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.outbound.OutboundGuard;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The models' parts, put together once. */
@Configuration(proxyBeanMethods = false)
class InferenceConfiguration {

  @Bean(destroyMethod = "close")
  Clients modelClients(OutboundGuard guard, Clock clock, Supplier<UUID> ids) {
    return new Clients(new Transport(guard), clock, ids);
  }

  /** Without connections there are scripted models alone. */
  @Bean
  Models models(ObjectProvider<Connections> connections, Clients clients, SecureRandom random) {
    var known = connections.getIfAvailable(() -> _ -> Optional.empty());
    return new Models(known, clients, Attempts.usual(random), Patience.USUAL);
  }
}
