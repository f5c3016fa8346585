/**
 * The queue: entries in files that several processes append to and read, by Chronicle Queue.
 *
 * <p><b>Owns</b> a directory with the queue's files.
 *
 * <p><b>Thread</b>: each class says which; none is for a dispatcher, since files are touched.
 *
 * <p><b>May use</b> {@code dev.upcall.journal.entry} and Chronicle Queue. Start with {@link
 * dev.upcall.journal.queue.EntryQueue}.
 */
@NullMarked
package dev.upcall.journal.queue;

import org.jspecify.annotations.NullMarked;
