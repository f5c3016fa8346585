/**
 * How a segment lies on the volume: inodes, extents, maps of pieces, and the editors that change
 * them.
 *
 * <p><b>Owns</b> nothing; segments own their layouts.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> the layers below, {@code dev.upcall.segment.paging} and {@code
 * dev.upcall.segment.space}.
 */
@NullMarked
package dev.upcall.segment.layout;

import org.jspecify.annotations.NullMarked;
