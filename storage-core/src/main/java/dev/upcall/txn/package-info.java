/**
 * Transactions: the write-ahead log with group commit, checkpoint, superblocks, recovery and
 * snapshots.
 *
 * <p><b>Owns</b> the commit sequence number, the log ring and the superblock copies.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> the layers below, from {@code dev.upcall.segment} down to {@code
 * dev.upcall.fsm}.
 */
@NullMarked
package dev.upcall.txn;

import org.jspecify.annotations.NullMarked;
