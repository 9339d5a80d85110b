/** Fly Sprites: its REST calls, its exec WebSocket, and the faults seen of it. */
@NullMarked
package mesh.simulator.sprites;

import org.jspecify.annotations.NullMarked;
