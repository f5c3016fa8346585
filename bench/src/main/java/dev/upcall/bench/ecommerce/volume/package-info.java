/**
 * The workloads over files of a real store, one for each table: in virtual time on the modelled
 * drive, and on the device of this machine.
 *
 * <p><b>Owns</b> the files, what their pages hold and must hold, changed pages that are still to be
 * written, and the log.
 *
 * <p><b>Thread</b>: the store's; {@link dev.upcall.bench.ecommerce.volume.VolumeJob} is called by
 * the main thread of its process.
 *
 * <p><b>May use</b> {@code dev.upcall.bench.ecommerce} with its clients, the simulation and the
 * store's asynchronous files. Start at {@link dev.upcall.bench.ecommerce.volume.StoreServer}.
 */
@NullMarked
package dev.upcall.bench.ecommerce.volume;

import org.jspecify.annotations.NullMarked;
