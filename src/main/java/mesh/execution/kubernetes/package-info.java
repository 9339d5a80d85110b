/**
 * Runs sandboxes as pods of a Kubernetes cluster, in one namespace.
 *
 * <p>Objects are made and found over the cluster's REST interface; everything inside a pod, files
 * too, goes through exec sockets and the shell scripts of {@link mesh.execution.remote}. Needs
 * nothing installed in the cluster, and no rights outside the namespace. Knows nothing of runs,
 * agents or credentials.
 */
@NullMarked
package mesh.execution.kubernetes;

import org.jspecify.annotations.NullMarked;
