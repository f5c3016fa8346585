/**
 * Free space of a volume: which extents are free, reserved or committed, for which of the free ones
 * the device has room, the allocator, and the image of the map that a checkpoint writes.
 *
 * <p><b>Owns</b> the map in memory. Pure: no I/O.
 *
 * <p><b>Thread</b>: whichever owns the map; nothing here is shared between threads.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm} only.
 */
@NullMarked
package dev.upcall.space;

import org.jspecify.annotations.NullMarked;
