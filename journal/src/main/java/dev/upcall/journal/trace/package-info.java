/**
 * What records of a flight recorder tell: where a request spent its time, which were slow, how long
 * machines stood in which state, what waited at an instant, what ran before a stall. From files or
 * from the memory of a running store, and without one.
 *
 * <p><b>Owns</b> nothing; records come in one by one, so that a recording may be larger than
 * memory.
 *
 * <p><b>Thread</b>: one at a time.
 *
 * <p><b>May use</b> {@code dev.upcall.journal.recording}. Start with {@link
 * dev.upcall.journal.trace.TraceRecord} and {@link dev.upcall.journal.trace.TraceSource}.
 */
@NullMarked
package dev.upcall.journal.trace;

import org.jspecify.annotations.NullMarked;
