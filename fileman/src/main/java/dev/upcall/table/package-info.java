/**
 * Keys and values of a program's own types as bytes: {@link dev.upcall.table.Codecs} whose bytes
 * have the order of the values, so that a table sorts by them.
 *
 * <p><b>Owns</b> nothing; the entries are the store's. Codecs and ranges are immutable.
 *
 * <p><b>Thread</b>: any but the store's own. Codecs run on the thread that calls.
 *
 * <p><b>May use</b> {@code dev.upcall}, {@code dev.upcall.request} and the words that they use.
 */
@NullMarked
package dev.upcall.table;

import org.jspecify.annotations.NullMarked;
