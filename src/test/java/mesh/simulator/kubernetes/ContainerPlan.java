package mesh.simulator.kubernetes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import mesh.simulator.namespace.Login;
import mesh.simulator.namespace.Volume;

/**
 * What a container is to be.
 *
 * @param folder where it keeps its own files
 * @param readOnly whether only its volumes are writable
 */
record ContainerPlan(
    String name,
    Path folder,
    Login login,
    String directory,
    Map<String, String> environment,
    List<String> argv,
    List<Volume> volumes,
    boolean readOnly) {}
