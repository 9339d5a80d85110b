/**
 * HTTP/1.1 and WebSocket (RFC 6455) with control of what goes wrong on the wire: an answer that
 * never comes, a connection dropped without a close frame, a body flushed line by line. Loopback
 * only. Knows no vendor.
 */
@NullMarked
package mesh.simulator.http;

import org.jspecify.annotations.NullMarked;
