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
 * <p><b>May use</b> the words of the storage core: {@code dev.upcall.completion}, {@code
 * dev.upcall.content}, {@code dev.upcall.store}.
 */
@NullMarked
package dev.upcall;

import org.jspecify.annotations.NullMarked;
