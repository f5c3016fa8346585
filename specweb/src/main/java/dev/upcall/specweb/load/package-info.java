/**
 * How requests follow each other: processes with a schedule, one open stream of arrivals, clients
 * in a closed loop; and what is counted of them.
 *
 * <p><b>Owns</b> schedules, workers, counts and latencies. It knows time and network only through
 * {@code LoadLoop} and {@code Requester}, so that tests run it in virtual time.
 *
 * <p><b>Thread</b>: everything of one loop belongs to that loop's thread.
 *
 * <p><b>May use</b> the file set, the draws and HdrHistogram.
 */
@NullMarked
package dev.upcall.specweb.load;

import org.jspecify.annotations.NullMarked;
