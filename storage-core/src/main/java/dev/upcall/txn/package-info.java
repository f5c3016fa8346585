/**
 * The door of storage-core: what the layers above may ask of a store, and what they get.
 *
 * <p><b>Owns</b> nothing; the store behind it is {@code dev.upcall.txn.engine.StoreEngine}.
 *
 * <p><b>Thread</b>: the dispatcher's; snapshots of numbers are immutable and go anywhere, and
 * {@link dev.upcall.txn.PublishedReads} are for all threads.
 *
 * <p><b>May use</b> the layers below, for the words in its signatures. Start with {@link
 * dev.upcall.txn.Store}.
 */
@NullMarked
package dev.upcall.txn;

import org.jspecify.annotations.NullMarked;
