/**
 * Histories: what clients of a store saw of their transactions, for an independent judge of the
 * isolation that the store promises.
 *
 * <p><b>Owns</b> the form of a history. Knows nothing of the store: whoever records translates.
 *
 * <p><b>Thread</b>: records are immutable values for any thread; a {@link TransactionHistory} may
 * be added to from any thread.
 */
@NullMarked
package dev.upcall.history;

import org.jspecify.annotations.NullMarked;
