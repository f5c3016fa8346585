/**
 * The asynchronous door for a program on one thread of its own: requests go in, and completions are
 * taken out by the thread that polls.
 *
 * <p><b>Owns</b> the requests inside and their completions until they are polled.
 *
 * <p><b>Thread</b>: that of the program; ports complete on the dispatcher's.
 *
 * <p><b>May use</b> the file manager. Start with {@code DoorAsyncFiles}.
 */
@NullMarked
package dev.upcall.fileman.async;

import org.jspecify.annotations.NullMarked;
