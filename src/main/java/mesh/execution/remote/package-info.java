/**
 * The whole contract of a sandbox by means of one thing alone: a vendor's way to run a program and
 * talk to it. For every adapter whose sandboxes are POSIX systems on another machine.
 *
 * <p>An adapter supplies {@link mesh.execution.remote.Exec}; the shell scripts beside this package
 * do the rest: they report how a command really ended, find its whole process tree, and read and
 * write files. No value of Mesh's or an agent's is ever an argument that a vendor may log: all of
 * them travel as the scripts' input. Knows no vendor, and nothing of runs, agents or credentials.
 */
@NullMarked
package mesh.execution.remote;

import org.jspecify.annotations.NullMarked;
