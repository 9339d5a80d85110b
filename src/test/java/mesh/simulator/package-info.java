/**
 * Vendors' protocols served on this machine, with real processes behind them: what the adapters are
 * tested against, and what an adapter's author can start by hand.
 *
 * <p>Knows nothing of Mesh. A simulator is faithful when the vendor's own client cannot tell.
 */
@NullMarked
package mesh.simulator;

import org.jspecify.annotations.NullMarked;
