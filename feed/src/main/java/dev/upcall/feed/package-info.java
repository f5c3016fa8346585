/**
 * Does the requests of a queue on a store: in order, each once, whatever dies in between.
 *
 * <p><b>Owns</b> how far the queue is done, and what came of each producer's last request: small
 * properties of the store, committed together with the work.
 *
 * <p>Beside that it lets those who record or look have the store's flight recorder: {@link
 * dev.upcall.feed.Recording}, {@link dev.upcall.feed.FlightSource}.
 *
 * <p><b>Thread</b>: the dispatcher's, where a class says nothing else.
 *
 * <p><b>May use</b> {@code dev.upcall} (of fileman), and {@code dev.upcall.journal}. Start with
 * {@link dev.upcall.feed.RequestFeed}.
 */
@NullMarked
package dev.upcall.feed;

import org.jspecify.annotations.NullMarked;
