/**
 * Access methods over segments, and the door of the store through which the layers above come in.
 *
 * <p><b>Owns</b> nothing durable of its own: it puts requests to the layers below together.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> the layers below, from {@code dev.upcall.txn} down to {@code dev.upcall.fsm}.
 */
@NullMarked
package dev.upcall.access;

import org.jspecify.annotations.NullMarked;
