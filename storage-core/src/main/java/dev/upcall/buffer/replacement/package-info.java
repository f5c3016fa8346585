/**
 * Replacement policies for frames: which one leaves memory next.
 *
 * <p><b>Owns</b> the order of frames; the buffer manager owns the frames themselves.
 *
 * <p><b>Thread</b>: the dispatcher's; one policy serves one cache.
 *
 * <p><b>May use</b> {@code dev.upcall.base} only.
 */
@NullMarked
package dev.upcall.buffer.replacement;

import org.jspecify.annotations.NullMarked;
