/**
 * The block trace: every request that goes to a device, in a file, and what such requests are like
 * as a whole.
 *
 * <p><b>Owns</b> trace files and the measures of block traffic.
 *
 * <p><b>Thread</b>: sinks on the dispatcher's thread; a {@code TraceWriter} has a thread of its own
 * for its file; a {@code TraceReader} is for one thread that may wait.
 *
 * <p><b>May use</b> {@code dev.upcall.io}. Start at {@link dev.upcall.io.trace.TracedDisk}; the
 * file is drawn at {@link dev.upcall.io.trace.TraceFormat}.
 */
@NullMarked
package dev.upcall.io.trace;

import org.jspecify.annotations.NullMarked;
