/**
 * Makes the state as of one SCN durable in its place, so that the log before it is no longer
 * needed; and write-back, which gives dirty content its place on the volume.
 *
 * <p><b>Owns</b> the checkpoint and the write-back under way.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.change} and below. Start with {@link
 * dev.upcall.txn.checkpoint.Checkpoint}.
 */
@NullMarked
package dev.upcall.txn.checkpoint;

import org.jspecify.annotations.NullMarked;
