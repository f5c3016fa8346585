/**
 * The file manager of the state machines: batches, openings, puts, listings and transactions on
 * their way.
 *
 * <p><b>Owns</b> open handles and requests under way.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.fileman.plan}, {@code dev.upcall.access} and below. Start
 * with {@link dev.upcall.fileman.machine.StoreFileManager}.
 */
@NullMarked
package dev.upcall.fileman.machine;

import org.jspecify.annotations.NullMarked;
