/**
 * Programs that are put together with a store in each way that there is, doing the same: requests
 * in cycles, and reads.
 *
 * <p><b>Owns</b> the threads of each composition.
 *
 * <p><b>Thread</b>: as each class says.
 *
 * <p><b>May use</b> every layer of the product, and {@code dev.upcall.bench.workload}.
 */
@NullMarked
package dev.upcall.bench.composition;

import org.jspecify.annotations.NullMarked;
