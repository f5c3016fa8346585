/**
 * What stands in a queue, as bytes: an entry with its origin and checksum, and the requests and
 * replies that entries carry.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any; values and pure functions.
 *
 * <p><b>May use</b> requests and their bytes, nothing of a store. Start with {@link
 * dev.upcall.journal.entry.EntryCodec}.
 */
@NullMarked
package dev.upcall.journal.entry;

import org.jspecify.annotations.NullMarked;
