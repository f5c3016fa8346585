/**
 * What a store can be short of: from which level work begins that makes room, from which it is
 * urgent, from which whoever needs more waits, and until when.
 *
 * <p><b>Owns</b> the table of thresholds and the line of those who wait.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code fsm} and {@code io}; it is told the levels, and whom to ask for work.
 * Start with {@link dev.upcall.pressure.Pressure}.
 */
@NullMarked
package dev.upcall.pressure;

import org.jspecify.annotations.NullMarked;
