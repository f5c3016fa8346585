/**
 * What a store counts, under names that monitoring understands: meters of Micrometer, and the text
 * of Prometheus.
 *
 * <p><b>Owns</b> the names, units and meanings of the meters of a store ({@code Catalogue}, and the
 * page docs/metrics.md, which a test compares with it); who counts more adds a {@link
 * dev.upcall.metrics.MeterSection}.
 *
 * <p><b>Thread</b>: snapshots are taken on the dispatcher's thread, in one upcall; everything else
 * runs on the thread of whoever reads the meters.
 *
 * <p><b>May use</b> the file manager, the storage core and Micrometer; its Prometheus registry only
 * where a program has it. Start with {@link dev.upcall.metrics.UpcallMetrics}.
 */
@NullMarked
package dev.upcall.metrics;

import org.jspecify.annotations.NullMarked;
