package mesh.execution.local;

import java.nio.file.Path;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

@Configuration(proxyBeanMethods = false)
class LocalConfiguration {

  @Bean
  DataDirectory dataDirectory(Environment environment) {
    return new DataDirectory(Path.of(environment.getProperty("mesh.data-dir", "./data")));
  }
}
