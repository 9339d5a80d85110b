/**
 * Runs commands on Mesh's own machine as Mesh's own user, each sandbox in a directory of its own.
 * Nothing but that directory keeps one from another or from Mesh: for working on Mesh itself and
 * for trying it out.
 *
 * <p>Linux is what it is made for: there, processes are found again by a mark in their environment,
 * whatever they did to leave their parents. Elsewhere only descendants are found.
 */
@NullMarked
package mesh.execution.local;

import org.jspecify.annotations.NullMarked;
