package mesh.execution;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Arrays;
import java.util.Set;

/** What one backend can do beyond the contract, read off its type. */
public record Capabilities(Set<Capability> present) {

  public Capabilities {
    present = Set.copyOf(present);
  }

  public static Capabilities of(Backend backend) {
    return of(backend.getClass());
  }

  /** Of a kind of backend that was not opened. */
  public static Capabilities of(Class<? extends Backend> type) {
    return new Capabilities(
        Arrays.stream(Capability.values())
            .filter(capability -> capability.isOf(type))
            .collect(toUnmodifiableSet()));
  }

  public boolean has(Capability capability) {
    return present.contains(capability);
  }

  /** Those of {@code required} that this backend lacks; empty means it may be used. */
  public Set<Capability> missing(Set<Capability> required) {
    return required.stream().filter(capability -> !has(capability)).collect(toUnmodifiableSet());
  }
}
