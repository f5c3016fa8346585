/**
 * The store as of one moment, held: in memory for as long as somebody reads, or under a name until
 * it is dropped.
 *
 * <p><b>Owns</b> open and named snapshots.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.pressure}, {@code dev.upcall.txn.reclaim} and below.
 * Start with {@link dev.upcall.txn.snapshot.SnapshotManager}.
 */
@NullMarked
package dev.upcall.txn.snapshot;

import org.jspecify.annotations.NullMarked;
