/**
 * The write-ahead log of the engine of threads: the first of those who wait writes for all (group
 * commit).
 *
 * <p><b>Owns</b> the end of that log.
 *
 * <p><b>Thread</b>: any; one lock ({@code LOG}) guards it.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.log}, {@code dev.upcall.locks} and below. Start with
 * {@link dev.upcall.threads.log.GroupCommitLog}.
 */
@NullMarked
package dev.upcall.threads.log;

import org.jspecify.annotations.NullMarked;
