/**
 * A mapped file of bounded size: which small object goes when another one comes. An object may only
 * take the place of one of its own segment class.
 *
 * <p><b>Owns</b> the slots of the file, what is in them, and the policies.
 *
 * <p><b>Thread</b>: any one, one a run.
 *
 * <p><b>May use</b> the trace, the packing of segments, the counted disk, and the store's own
 * replacement policies. Start at {@link dev.upcall.bench.proxy.finite.FiniteRun}.
 */
@NullMarked
package dev.upcall.bench.proxy.finite;

import org.jspecify.annotations.NullMarked;
