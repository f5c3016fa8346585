/**
 * Verifies a whole store while it is open: every copy of every page, every inode and extent, one
 * owner for each block.
 *
 * <p><b>Owns</b> what a verification has seen.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.state}, {@code dev.upcall.txn.snapshot} and below. Start
 * with {@link dev.upcall.txn.verify.StoreCheck}.
 */
@NullMarked
package dev.upcall.txn.verify;

import org.jspecify.annotations.NullMarked;
