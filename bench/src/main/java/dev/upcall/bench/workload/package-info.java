/**
 * The work of jobs on a store, whoever drives it: which files, which reads, what is counted of
 * them.
 *
 * <p><b>Owns</b> the threads that it starts.
 *
 * <p><b>Thread</b>: as each class says.
 *
 * <p><b>May use</b> every layer of the product.
 */
@NullMarked
package dev.upcall.bench.workload;

import org.jspecify.annotations.NullMarked;
