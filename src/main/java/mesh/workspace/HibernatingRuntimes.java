package mesh.workspace;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import mesh.execution.Capability;
import mesh.settings.AgentRuntimes;
import org.springframework.stereotype.Component;

/** Which runtimes can let a sandbox sleep with its files. No vendor call. */
@Component
class HibernatingRuntimes {

  private static final String WORD = Capability.HIBERNATION.name().toLowerCase(Locale.ROOT);

  private final AgentRuntimes runtimes;

  HibernatingRuntimes(AgentRuntimes runtimes) {
    this.runtimes = runtimes;
  }

  Set<String> names() {
    return runtimes.all().stream()
        .filter(runtime ->
            runtime.capabilities().stream()
                .anyMatch(declared -> declared.name().equals(WORD) && declared.present()))
        .map(runtime -> runtime.descriptor().name().value())
        .collect(Collectors.toUnmodifiableSet());
  }
}
