/**
 * The kernel: the dispatcher and its turn, the base of state machines with its flight recorder,
 * timers and gates.
 *
 * <p>Start with {@link dev.upcall.fsm.Dispatcher}, whose contract tells the turn and the end, then
 * {@link dev.upcall.fsm.StateMachine}. How applications stand to a dispatcher, in the report's
 * three compositions:
 *
 * <ol>
 *   <li><i>Shared thread</i>: its machines run on the dispatcher; a request is a method call with
 *       an active {@link dev.upcall.completion.CompletionPort}.
 *   <li><i>Own thread</i>: requests through a {@link dev.upcall.fsm.door.RequestDoor}, completions
 *       from a {@link dev.upcall.fsm.door.PassivePort}; a {@link dev.upcall.fsm.door.Cork} between
 *       them saves wake-ups.
 *   <li><i>Many threads</i>: {@link dev.upcall.fsm.door.Blocking}, one request at a time each,
 *       through the same kind of door; both sides look for each other a while before they sleep.
 * </ol>
 *
 * <p><b>Owns</b> the order in which upcalls run. What knows of more than one thread stands beside
 * it: {@code dev.upcall.fsm.wakeup} below, {@code dev.upcall.fsm.door} above.
 *
 * <p><b>Queues and what they do when full</b>: managers have no request queue of their own; a
 * request is a method call, and what is left to do waits in the dispatcher's one FIFO, which fails
 * loudly (admission keeps it short). {@link dev.upcall.fsm.door.RequestDoor} refuses or parks the
 * calling thread; {@code Inbox}, {@link dev.upcall.fsm.door.PassivePort} and {@link
 * dev.upcall.fsm.door.HandOver} accept everything, because what they carry (completions, returned
 * leases) is bounded by what a door has let in. Who waits for memory, room or a turn stands in a
 * bounded line of the manager that gives it.
 *
 * <p><b>Where time goes</b>: the dispatcher counts its turns always ({@link
 * dev.upcall.fsm.meter.DispatcherMetrics}: size, duration and queue of each drain); the way of
 * single requests is stamped when an application asks for it ({@link
 * dev.upcall.fsm.meter.StageMeter}).
 *
 * <p><b>Thread</b>: everything runs on the dispatcher's thread, except where a method says that any
 * thread may call it.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm.wakeup}, {@code dev.upcall.fsm.meter} and below.
 */
@NullMarked
package dev.upcall.fsm;

import org.jspecify.annotations.NullMarked;
