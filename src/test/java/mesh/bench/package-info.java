/** Measurements to run by hand; no tests. */
@NullMarked
package mesh.bench;

import org.jspecify.annotations.NullMarked;
