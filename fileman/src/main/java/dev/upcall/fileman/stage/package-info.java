/**
 * The door of stages: requests from any thread into the store, their completions as stages on the
 * executor that the caller chose, and the line in between.
 *
 * <p><b>Owns</b> the line of requests that wait for room; everything opened is the store's.
 *
 * <p><b>Thread</b>: any, and none ever waits; what runs on the dispatcher's or the executor says
 * so. Content is copied on the dispatcher's thread, in pieces of at most 64 KiB: so no frame is
 * held by a thread that may never run.
 *
 * <p><b>May use</b> the file manager's face, {@code dev.upcall.fileman.reading} and the storage
 * core. Start with {@link dev.upcall.fileman.stage.StageDoor}.
 */
@NullMarked
package dev.upcall.fileman.stage;

import org.jspecify.annotations.NullMarked;
