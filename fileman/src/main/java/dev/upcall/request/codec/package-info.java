/**
 * Changes of a store as bytes: one form, which the queue of requests keeps and the flight recorder
 * records. {@code docs/journal.md} has the layout.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any for values; one encoder or decoder belongs to one thread.
 *
 * <p><b>May use</b> the requests and what they consist of. Start with {@link
 * dev.upcall.request.codec.Submission}.
 */
@NullMarked
package dev.upcall.request.codec;

import org.jspecify.annotations.NullMarked;
