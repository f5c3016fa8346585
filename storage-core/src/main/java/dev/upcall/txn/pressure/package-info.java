/**
 * Who waits for room, and for how long: for less dirty content, for copies that snapshots hold, for
 * memory to write with. Who makes room never waits for room.
 *
 * <p><b>Owns</b> the lines of those who wait.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.state}, and checkpoint and write-back, which make room.
 * Start with {@link dev.upcall.txn.pressure.PlacingQueue}.
 */
@NullMarked
package dev.upcall.txn.pressure;

import org.jspecify.annotations.NullMarked;
