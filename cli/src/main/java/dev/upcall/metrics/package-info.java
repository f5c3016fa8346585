/**
 * What a store counts, under names that monitoring understands: meters of Micrometer, the text of
 * Prometheus, and the pages of the admin port.
 *
 * <p><b>Owns</b> the names, units and meanings of all meters ({@code Catalogue}, and the page
 * docs/metrics.md, which a test compares with it).
 *
 * <p><b>Thread</b>: snapshots are taken on the dispatcher's thread, in one upcall; everything else
 * runs on the thread of whoever reads the meters, a helper thread for the admin port.
 *
 * <p><b>May use</b> the HTTP server, the file manager, the storage core, Micrometer and its
 * Prometheus registry.
 */
@NullMarked
package dev.upcall.metrics;

import org.jspecify.annotations.NullMarked;
