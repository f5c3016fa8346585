/**
 * Ageing: files that are put, overwritten, appended to and deleted for a long time in room that is
 * nearly full, in a store and on the plain file system.
 *
 * <p><b>Owns</b> the mix of steps, which is the same for both.
 *
 * <p><b>Thread</b>: each of the job's threads has a {@link dev.upcall.bench.ageing.AgeingMix} of
 * its own; {@link dev.upcall.bench.ageing.AgedFiles} take calls of all of them.
 *
 * <p><b>May use</b> the parts of jobs and the store's blocking facade. Start reading at {@link
 * dev.upcall.bench.ageing.AgeingJob}.
 */
@NullMarked
package dev.upcall.bench.ageing;

import org.jspecify.annotations.NullMarked;
