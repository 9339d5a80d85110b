package mesh.execution;

import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;

/** Makes backends of one kind. Each adapter contributes exactly one, as a Spring bean. */
public interface BackendProvider {

  BackendDescriptor descriptor();

  /**
   * The class that {@link #open} would return, without connecting: what it can do is its type.
   * Where a capability depends on configuration, there is a class with it and one without.
   *
   * @param config may lack required values while a form is being filled in
   */
  Class<? extends Backend> typeFor(BackendConfig config);

  /**
   * Makes a backend from a configuration that satisfies {@link #descriptor()}. Makes no call to the
   * vendor.
   *
   * @throws BackendException.Rejected if the values cannot work together
   */
  Backend open(BackendConfig config);
}
