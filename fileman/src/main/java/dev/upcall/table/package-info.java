/**
 * Tables of a store with keys and values of a program's own types: {@link
 * dev.upcall.table.SortedTable}, {@link dev.upcall.table.HashTable}, {@link
 * dev.upcall.table.Records}, and the {@link dev.upcall.table.Codecs} that say how keys and values
 * are bytes.
 *
 * <p><b>Owns</b> nothing but the ids that records have taken; the entries are the store's.
 *
 * <p><b>Thread</b>: any but the store's own. Codecs run on the thread that calls.
 *
 * <p><b>May use</b> {@code dev.upcall}, {@code dev.upcall.request} and the words that they use.
 * {@code Upcall} makes what is here.
 */
@NullMarked
package dev.upcall.table;

import org.jspecify.annotations.NullMarked;
