/**
 * The buffer manager: off-heap frames under one byte budget, pins and leases with their ledger,
 * replacement, write-back, write-through and read-ahead.
 *
 * <p><b>Owns</b> every frame and says who holds it.
 *
 * <p><b>Thread</b>: the dispatcher's; a lease may travel to another thread, its release comes back
 * as a message.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm}, {@code dev.upcall.io}, and the pure packages {@code
 * dev.upcall.tree} and {@code dev.upcall.space}.
 */
@NullMarked
package dev.upcall.buffer;

import org.jspecify.annotations.NullMarked;
