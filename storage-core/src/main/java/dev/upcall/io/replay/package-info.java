/**
 * Plays a block trace on a disk: the same requests, at the same times, quicker, or as fast as they
 * go.
 *
 * <p><b>Owns</b> the requests on their way, and the memory that they read into and write from.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.io.trace}. Start at {@link dev.upcall.io.replay.TraceReplay}.
 */
@NullMarked
package dev.upcall.io.replay;

import org.jspecify.annotations.NullMarked;
