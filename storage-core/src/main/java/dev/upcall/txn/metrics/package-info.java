/**
 * Counters of a store, read in one upcall.
 *
 * <p><b>Owns</b> nothing; a snapshot of numbers is immutable.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> the records that the layers below count in.
 */
@NullMarked
package dev.upcall.txn.metrics;

import org.jspecify.annotations.NullMarked;
