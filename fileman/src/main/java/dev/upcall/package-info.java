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
 * <p><b>Nothing</b> has one sign for each place where it can stand. What a call or a stage answers
 * is an {@link java.util.Optional} where there may be no answer. An argument, and a component of a
 * record that is given to a request, is null where it is left out, and says so ({@code @Nullable}).
 * Where the store's thread asks whether something can be had at once, null says that it cannot, so
 * that the hot path makes no object. Moments and spans are {@link java.time.Instant} and {@link
 * java.time.Duration}; a number says its unit in its name and is what formats and hot paths have.
 *
 * <p><b>May use</b> the words of the storage core: {@code dev.upcall.completion}, {@code
 * dev.upcall.content}, {@code dev.upcall.store}.
 */
@NullMarked
package dev.upcall;

import org.jspecify.annotations.NullMarked;
