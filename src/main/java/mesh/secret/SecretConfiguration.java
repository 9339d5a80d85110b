package mesh.secret;

import java.util.List;
import mesh.database.DataFolder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SecretConfiguration {

  @Bean
  Sealer sealer(DataFolder folder, ObjectProvider<SealedValues> modules) {
    List<SealedText> stored = modules.stream().flatMap(module -> module.stored().stream()).toList();
    return new Sealer(Keyring.open(folder, stored));
  }
}
