/**
 * Foreign text made safe to look at: what programs print, what models say, what people name things.
 * Knows nothing of pages; escaping of HTML stays with the template engine.
 */
@NullMarked
package mesh.dashboard.output;

import org.jspecify.annotations.NullMarked;
