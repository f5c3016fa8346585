/**
 * The outcome of a request of a queue, and how its producer hears of it.
 *
 * <p><b>Owns</b> the outlets to the queues of answers, and the last outcomes of each producer.
 *
 * <p><b>Thread</b>: the queue's own where a class answers; the dispatcher's where it decides.
 *
 * <p><b>May use</b> {@code dev.upcall} (of fileman), and {@code dev.upcall.journal}. Start with
 * {@link dev.upcall.feed.answer.Answers}.
 */
@NullMarked
package dev.upcall.feed.answer;

import org.jspecify.annotations.NullMarked;
