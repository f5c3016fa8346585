/**
 * Free space for segments: reservations, and the machine that waits until there is some.
 *
 * <p><b>Owns</b> the allocator of a volume.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.space}, {@code dev.upcall.io} and {@code dev.upcall.fsm}.
 */
@NullMarked
package dev.upcall.segment.space;

import org.jspecify.annotations.NullMarked;
