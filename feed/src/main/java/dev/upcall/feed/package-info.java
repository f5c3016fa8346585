/**
 * Does the requests of a queue on a store: in order, each once, whatever dies in between.
 *
 * <p><b>Owns</b> how far the queue is done, and what came of each producer's last request: small
 * properties of the store, committed together with the work.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.fileman} and below, and {@code dev.upcall.journal}. Start
 * with {@link dev.upcall.feed.RequestFeed}.
 */
@NullMarked
package dev.upcall.feed;

import org.jspecify.annotations.NullMarked;
