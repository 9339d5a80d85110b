/**
 * Mesh: the control plane that lets AI agents run commands without anyone handing them the keys.
 */
@NullMarked
package mesh;

import org.jspecify.annotations.NullMarked;
