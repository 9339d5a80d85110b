/**
 * Runs sandboxes as Fly Sprites: a small machine each, with a REST interface for its life and a
 * WebSocket for its commands.
 *
 * <p>Everything inside a sprite, files too, goes through the one WebSocket endpoint and the shell
 * scripts beside this package: no value of Mesh's or an agent's is ever part of a URL, and files
 * need no second set of error texts. Knows nothing of runs, agents or credentials.
 */
@NullMarked
package mesh.execution.sprites;

import org.jspecify.annotations.NullMarked;
