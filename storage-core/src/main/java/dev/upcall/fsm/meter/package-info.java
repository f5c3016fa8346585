/**
 * What the kernel measures: distributions without locks, counts of turns, and the stages of single
 * requests.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: one at a time, the owner's; snapshots are immutable and go anywhere.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm.record} and below, and HdrHistogram inside {@code
 * Distribution}. Start with {@link dev.upcall.fsm.meter.DispatcherMetrics}.
 */
@NullMarked
package dev.upcall.fsm.meter;

import org.jspecify.annotations.NullMarked;
