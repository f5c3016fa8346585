/**
 * Runs load points: threads, phases, windows, and what the run cost.
 *
 * <p><b>Owns</b> the threads of the load, and the order of warm-up, measurement and drain.
 *
 * <p><b>Thread</b>: the caller's, which waits; the load is on threads of its own.
 *
 * <p><b>May use</b> the load, the client and the JDK's view of this process.
 */
@NullMarked
package dev.upcall.specweb.run;

import org.jspecify.annotations.NullMarked;
