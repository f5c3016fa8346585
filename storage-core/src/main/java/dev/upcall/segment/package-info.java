/**
 * The segment manager: inodes, extents, layout of large objects, placing of content and the life of
 * segments from open to close.
 *
 * <p><b>Owns</b> inodes in memory and the open segments.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> the layers below: {@code dev.upcall.buffer}, {@code dev.upcall.io}, {@code
 * dev.upcall.tree}, {@code dev.upcall.space} and {@code dev.upcall.fsm}.
 */
@NullMarked
package dev.upcall.segment;

import org.jspecify.annotations.NullMarked;
