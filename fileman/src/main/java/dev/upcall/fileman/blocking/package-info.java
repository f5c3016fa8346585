/**
 * The blocking facade: a volume with a store, a file manager and a thread of their own, for
 * programs that call and wait.
 *
 * <p><b>Owns</b> the dispatcher's thread, and everything that is opened through the facade until it
 * is closed.
 *
 * <p><b>Thread</b>: any platform or virtual thread but the dispatcher's; what runs there says so.
 *
 * <p><b>May use</b> the file manager and the storage core.
 */
@NullMarked
package dev.upcall.fileman.blocking;

import org.jspecify.annotations.NullMarked;
