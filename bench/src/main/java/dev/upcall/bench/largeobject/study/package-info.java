/**
 * The experiments of <i>The Performance of Three Database Storage Structures for Managing Large
 * Objects</i> (Biliris, SIGMOD 1992), section 4, made again on its machine; and their streams of
 * operations on the store, on the machine at hand.
 *
 * <p><b>Owns</b> the streams of operations, what the paper claims and the bands in which a claim is
 * said to hold. Bands stand in the code of the claim, and nothing is tuned to them.
 *
 * <p><b>Thread</b>: the command's own.
 *
 * <p><b>May use</b> the machine, the store and its edit policies, {@code dev.upcall.bench.edits}
 * and the report's pages. Start with {@link dev.upcall.bench.largeobject.study.LargeObjectsPaper}.
 */
@NullMarked
package dev.upcall.bench.largeobject.study;

import org.jspecify.annotations.NullMarked;
