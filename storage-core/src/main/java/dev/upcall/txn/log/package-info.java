/**
 * The write-ahead log and the superblocks: what makes a commit durable, and what finds it again.
 *
 * <p><b>Owns</b> the layout of a volume, the superblock copies, the log ring with its batches and
 * records, group commit, the scan of the log at recovery, and the formatting of a new volume. What
 * a record means is known only above; here it is bytes with a commit sequence number and the
 * extents that it names.
 *
 * <p><b>Thread</b>: the dispatcher's, but for the log of the engine of threads ({@link
 * dev.upcall.threads.log.GroupCommitLog} and what stands behind it), which any thread calls and
 * whose lock guards it.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm}, {@code dev.upcall.io}, {@code dev.upcall.space.Extent},
 * and that log {@code dev.upcall.locks}.
 *
 * <p>Start reading at {@link dev.upcall.txn.log.LogWriter} (how a commit becomes durable) and
 * {@link dev.upcall.txn.log.LogScan} (what recovery believes).
 */
@NullMarked
package dev.upcall.txn.log;

import org.jspecify.annotations.NullMarked;
