/**
 * The API of Kubernetes as far as sandboxes need it, with real processes for pods. What is not
 * simulated is said at {@link mesh.simulator.kubernetes.KubernetesSimulator}.
 */
@NullMarked
package mesh.simulator.kubernetes;

import org.jspecify.annotations.NullMarked;
