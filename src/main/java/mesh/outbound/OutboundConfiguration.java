package mesh.outbound;

import okhttp3.Dns;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OutboundConfiguration {

  @Bean
  OutboundGuard outboundGuard() {
    return new OutboundGuard(Dns.SYSTEM);
  }
}
