/**
 * The ways in and out of a dispatcher for other threads: requests through a {@link
 * dev.upcall.fsm.door.RequestDoor}, completions from a {@link dev.upcall.fsm.door.PassivePort} or
 * to a thread that waits ({@link dev.upcall.fsm.door.Blocking}), things handed over ({@link
 * dev.upcall.fsm.door.HandOver}).
 *
 * <p><b>Owns</b> what stands between an application's thread and the dispatcher.
 *
 * <p><b>Thread</b>: each class says which of its methods any thread may call.
 *
 * <p><b>May use</b> the kernel below: {@code dev.upcall.fsm}. Start with {@link
 * dev.upcall.fsm.door.RequestDoor}.
 */
@NullMarked
package dev.upcall.fsm.door;

import org.jspecify.annotations.NullMarked;
