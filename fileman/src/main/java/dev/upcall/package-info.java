/**
 * What programs name to keep files: {@link dev.upcall.Upcall} for callers that wait, {@link
 * dev.upcall.AsyncFiles} for a thread of their own, {@link dev.upcall.FileManager} on the store's
 * thread; paths, requests, options and answers.
 *
 * <p><b>Owns</b> nothing; what does the work is in the packages below this one.
 *
 * <p><b>Thread</b>: {@code Upcall} and what it gives may be called from any platform or virtual
 * thread; {@code AsyncFiles} from one; {@code FileManager} from the dispatcher's.
 *
 * <p><b>Nothing</b> has one sign: an {@link java.util.Optional} where an answer or a component of a
 * record may be absent. No argument is null: what may be left out has a shorter method, or a value
 * that says so. A record is made from a constant of its own by {@code with...}. Two kinds of
 * answers are null, as those of {@link java.util.Queue#poll} are, so that the hot path makes no
 * object: whether something can be had at once on the store's thread, and whether a port has
 * something. Moments and spans are {@link java.time.Instant} and {@link java.time.Duration}; a
 * number says its unit in its name and is what formats and hot paths have.
 *
 * <p><b>May use</b> the words of the storage core: {@code dev.upcall.completion}, {@code
 * dev.upcall.content}, {@code dev.upcall.store}.
 */
@NullMarked
package dev.upcall;

import org.jspecify.annotations.NullMarked;
