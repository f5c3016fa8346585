/**
 * The database server of the paper in virtual time: clients, processors, a page cache, the journal
 * of a file system, an I/O scheduler and a modelled drive.
 *
 * <p><b>Owns</b> what is in memory and what waits, of one run.
 *
 * <p><b>Thread</b>: the one that turns the run's dispatcher.
 *
 * <p><b>May use</b> {@code dev.upcall.bench.ecommerce}, the simulation and the store's schedulers
 * and measures. Start at {@link dev.upcall.bench.ecommerce.machine.DatabaseServer}.
 */
@NullMarked
package dev.upcall.bench.ecommerce.machine;

import org.jspecify.annotations.NullMarked;
