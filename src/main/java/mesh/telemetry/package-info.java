/**
 * What Mesh tells of itself while it works: how long what took and how it ended (metrics), what
 * belongs to what (traces), and of which run and workspace a log line is. Knows none of the things
 * it tells of: modules name them.
 *
 * <p>Two rules hold here so that nobody has to think of them elsewhere: ids never become tags of
 * metrics, and nothing but ids and closed words leaves in a trace.
 */
@ApplicationModule(allowedDependencies = {"redaction"})
@NullMarked
package mesh.telemetry;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
