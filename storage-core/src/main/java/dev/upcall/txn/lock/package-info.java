/**
 * Locks on segments, names and properties: exclusive, granted first come, first served, with
 * time-outs and deadlock detection.
 *
 * <p><b>Owns</b> who holds and who waits for which key. Knows nothing of what the keys stand for.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm}.
 */
@NullMarked
package dev.upcall.txn.lock;

import org.jspecify.annotations.NullMarked;
