/** Modal's control plane and its workers' command router, as its clients see them. */
@NullMarked
package mesh.simulator.modal;

import org.jspecify.annotations.NullMarked;
