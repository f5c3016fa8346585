/**
 * Traces of block traffic on this machine's device: played by the store's I/O schedulers, and by
 * fio under the kernel's.
 *
 * <p><b>Owns</b> the setting of the kernel's scheduler while a sample is taken, and puts it back.
 *
 * <p><b>Thread</b>: one that waits for programs; a shutdown hook puts the setting back, too.
 *
 * <p><b>May use</b> the harness and the modelled database server. Start at {@link
 * dev.upcall.bench.blocks.IoPoliciesExperiment}.
 */
@NullMarked
package dev.upcall.bench.blocks;

import org.jspecify.annotations.NullMarked;
