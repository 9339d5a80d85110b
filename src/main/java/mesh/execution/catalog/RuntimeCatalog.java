package mesh.execution.catalog;

import java.util.List;
import java.util.Optional;

/** Every kind of backend this build knows, without the means to use one. */
public interface RuntimeCatalog {

  /** In catalog order. */
  List<BackendDescriptor> descriptors();

  /** All capabilities there are, each with whether this backend has it under this configuration. */
  List<DeclaredCapability> capabilities(BackendName name, BackendConfig config);

  /** Empty if this backend does not restrict egress under this configuration. */
  Optional<DeclaredEgress> egress(BackendName name, BackendConfig config);

  default Optional<BackendDescriptor> find(BackendName name) {
    return descriptors().stream().filter(it -> it.name().equals(name)).findFirst();
  }
}
