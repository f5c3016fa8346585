/**
 * I/O scheduling: which request goes to the device next, which wait on purpose, and which become
 * one.
 *
 * <p><b>Owns</b> the requests between those who ask and the device.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.io}. Start at {@link dev.upcall.io.schedule.IoScheduler};
 * what a policy decides is at {@link dev.upcall.io.schedule.SchedulingPolicy}.
 */
@NullMarked
package dev.upcall.io.schedule;

import org.jspecify.annotations.NullMarked;
