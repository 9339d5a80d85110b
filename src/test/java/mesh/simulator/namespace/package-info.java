/**
 * A file system and a process tree of its own per sandbox, with nothing but util-linux and
 * coreutils, as root and as an ordinary user. Knows no vendor.
 */
@NullMarked
package mesh.simulator.namespace;

import org.jspecify.annotations.NullMarked;
