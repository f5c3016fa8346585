/**
 * Locks for the engine of threads: measured, and in tests checked for their order.
 *
 * <p><b>Owns</b> nothing of a store. The order of all locks is that of {@link
 * dev.upcall.locks.LockRank}: a thread takes only locks that stand behind all those that it holds,
 * and holds none while it waits for a disk.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm} (the clock).
 */
@NullMarked
package dev.upcall.locks;

import org.jspecify.annotations.NullMarked;
