/**
 * Content that a file has already: found by hashes while it comes in, compared byte by byte, and
 * committed as a clone of that file.
 *
 * <p><b>Owns</b> what is known of content on its way, and holds the file that it is compared with.
 *
 * <p><b>Thread</b>: the dispatcher's; hashing goes by slices.
 *
 * <p><b>May use</b> {@code dev.upcall.segment}, {@code dev.upcall.txn} and below; what is committed
 * is decided in {@code dev.upcall.txn.change}. Start with {@link dev.upcall.txn.dedup.DedupStager}.
 */
@NullMarked
package dev.upcall.txn.dedup;

import org.jspecify.annotations.NullMarked;
