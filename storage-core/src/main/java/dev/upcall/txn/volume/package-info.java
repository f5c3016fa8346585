/**
 * The fixed part of a volume: where what lies, the four copies of the superblock, and the making of
 * a new volume.
 *
 * <p><b>Owns</b> the superblock copies.
 *
 * <p><b>Thread</b>: the dispatcher's; an {@link dev.upcall.txn.volume.Epoch} of any one at a time.
 *
 * <p><b>May use</b> {@code dev.upcall.io} and below. Start with {@link
 * dev.upcall.txn.volume.Superblocks}.
 */
@NullMarked
package dev.upcall.txn.volume;

import org.jspecify.annotations.NullMarked;
