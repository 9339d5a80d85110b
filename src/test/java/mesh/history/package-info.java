/**
 * What happened in a whole suite, as the vendor, the database and the clients saw it, and a checker
 * that says afterwards whether the promises were kept. Each invariant of the fault plan is a class
 * of its own.
 *
 * <p>Knows rows, sandboxes and answers; none of Mesh's classes.
 */
@NullMarked
package mesh.history;

import org.jspecify.annotations.NullMarked;
