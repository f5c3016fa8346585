/**
 * Puts requests into a queue, for programs that have no store: they need this module and Chronicle
 * Queue.
 *
 * <p><b>Owns</b> the file of a producer in the queue's directory, with its id and its numbers.
 *
 * <p><b>Thread</b>: any; a producer's calls wait for each other.
 *
 * <p><b>May use</b> {@code dev.upcall.journal.queue} and below. Start with {@link
 * dev.upcall.journal.producer.Producer}.
 */
@NullMarked
package dev.upcall.journal.producer;

import org.jspecify.annotations.NullMarked;
