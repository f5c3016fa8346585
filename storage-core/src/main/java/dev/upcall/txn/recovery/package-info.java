/**
 * Opens a volume: the newest superblock, the free-space map, dirty content of the checkpoint, then
 * the log behind it, then what named snapshots hold.
 *
 * <p><b>Owns</b> nothing once it is done.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.state}, {@code dev.upcall.txn.log} and below. Start with
 * {@link dev.upcall.txn.recovery.Recovery}.
 */
@NullMarked
package dev.upcall.txn.recovery;

import org.jspecify.annotations.NullMarked;
