/**
 * The simulated world: clock, reactor and disk from one seed, for the tests of every layer.
 *
 * <p><b>Owns</b> simulated time, the contents of simulated volumes, and their faults.
 *
 * <p><b>Thread</b>: the one thread that turns the world's dispatcher.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm} and {@code dev.upcall.io}. Start at {@link
 * dev.upcall.sim.SimWorld}.
 */
@NullMarked
package dev.upcall.sim;

import org.jspecify.annotations.NullMarked;
