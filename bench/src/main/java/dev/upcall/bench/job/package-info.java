/**
 * What jobs of workers are made of: what they are told, what they tell, threads that do a step
 * again and again, and content.
 *
 * <p><b>Owns</b> how a run is counted.
 *
 * <p><b>Thread</b>: a {@link dev.upcall.bench.job.Tally} belongs to the thread that counts.
 *
 * <p><b>May use</b> the harness. Start reading at {@link dev.upcall.bench.job.Job}.
 */
@NullMarked
package dev.upcall.bench.job;

import org.jspecify.annotations.NullMarked;
