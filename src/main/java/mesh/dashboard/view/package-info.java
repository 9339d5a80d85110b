/**
 * What the pages show, as records: one per page, made of texts that are ready to be printed.
 * Templates hold no logic beyond loops and presence. Public only because the compiled templates
 * live in a package of their own; not part of the module's interface.
 */
@NullMarked
package mesh.dashboard.view;

import org.jspecify.annotations.NullMarked;
