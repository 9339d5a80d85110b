/**
 * Sandboxes at Modal, by its gRPC interface: a control plane that makes and ends them, and beside
 * each of them a worker's router that runs commands. Knows one account and nothing of runs,
 * settings or the database.
 *
 * <p>The vendor does not publish this interface and may change it; the generated packages {@code
 * modal.client} and {@code modal.router} hold the part of it that its own clients of 2026 use.
 */
@NullMarked
package mesh.execution.modal;

import org.jspecify.annotations.NullMarked;
