/**
 * Modelled devices: what a request to a drive with heads, caches and a command queue takes, and to
 * a flash device. Time only: contents, crashes and faults are the simulated disk's.
 *
 * <p><b>Owns</b> where the heads are, which blocks a drive has read ahead or holds unwritten.
 *
 * <p><b>Thread</b>: the one thread that turns the world's dispatcher.
 *
 * <p><b>May use</b> {@code dev.upcall.sim}. Start at {@link dev.upcall.sim.drive.DriveConfig}.
 */
@NullMarked
package dev.upcall.sim.drive;

import org.jspecify.annotations.NullMarked;
