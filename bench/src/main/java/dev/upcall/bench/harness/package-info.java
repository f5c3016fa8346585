/**
 * The harness of all measured comparisons: who is compared, in which order, and what is made of the
 * samples.
 *
 * <p><b>Owns</b> child processes, their affinity, scratch files, statistics and the report.
 *
 * <p><b>Thread</b>: the command's own; each child process has a daemon thread that reads its
 * output.
 *
 * <p><b>May use</b> the JDK and what specweb writes documents with; it knows nothing of the store.
 */
@NullMarked
package dev.upcall.bench.harness;

import org.jspecify.annotations.NullMarked;
