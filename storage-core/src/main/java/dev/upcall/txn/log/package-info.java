/**
 * The write-ahead log: what makes a commit durable, and what finds it again.
 *
 * <p><b>Owns</b> the log ring with its batches and records, group commit, and the scan of the log
 * at recovery. What a record means is known only above; here it is bytes with a commit sequence
 * number and the extents that it names.
 *
 * <p><b>Thread</b>: the dispatcher's. The log of the engine of threads, {@code
 * dev.upcall.threads.log}, shares batches, frames and the end of the log under a lock of its own.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.volume}, {@code dev.upcall.space.Extent} and below.
 *
 * <p>Start reading at {@link dev.upcall.txn.log.LogWriter} (how a commit becomes durable) and
 * {@link dev.upcall.txn.log.LogScan} (what recovery believes).
 */
@NullMarked
package dev.upcall.txn.log;

import org.jspecify.annotations.NullMarked;
