/**
 * The harness of all measured comparisons: who is compared, in which order, and what is made of the
 * samples.
 *
 * <p><b>Owns</b> scratch files, affinities, statistics and the report.
 *
 * <p><b>Thread</b>: the command's own.
 *
 * <p><b>May use</b> {@code dev.upcall.bench.host}, and what specweb writes documents with; it knows
 * nothing of the store.
 */
@NullMarked
package dev.upcall.bench.harness;

import org.jspecify.annotations.NullMarked;
