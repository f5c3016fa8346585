/**
 * Changes and reads that are one: a snapshot, a write set over it, and locks on what it changes
 * (snapshot isolation, the first committer wins).
 *
 * <p><b>Owns</b> open transactions.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.snapshot}, {@code dev.upcall.txn.change} and below. Start
 * with {@link dev.upcall.txn.transaction.OpenTransaction}.
 */
@NullMarked
package dev.upcall.txn.transaction;

import org.jspecify.annotations.NullMarked;
