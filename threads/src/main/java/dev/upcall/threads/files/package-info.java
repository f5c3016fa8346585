/**
 * Files of a store that the engine of threads serves: the blocking facade, with the work done by
 * the thread that calls.
 *
 * <p><b>Owns</b> the stores that it opens, and what is open in them.
 *
 * <p><b>Thread</b>: any, platform or virtual, but the one that keeps the volume in order.
 *
 * <p><b>May use</b> the file manager, its planners, and the engine of threads below.
 */
@NullMarked
package dev.upcall.threads.files;

import org.jspecify.annotations.NullMarked;
