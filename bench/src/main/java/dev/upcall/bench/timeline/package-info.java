/**
 * One bad quarter of a second of a store under durable creates: what the caller, the store's thread
 * and the device did in it.
 *
 * <p><b>Owns</b> the window with the slowest create, and its page.
 *
 * <p><b>Thread</b>: the one that creates; it reads the flight recorder of the store, too.
 *
 * <p><b>May use</b> the store's blocking facade, the recorder's ring, and documents of specweb.
 * Start reading at {@link dev.upcall.bench.timeline.TimelineRun}.
 */
@NullMarked
package dev.upcall.bench.timeline;

import org.jspecify.annotations.NullMarked;
