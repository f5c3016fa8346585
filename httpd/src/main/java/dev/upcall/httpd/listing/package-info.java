/**
 * Pages of directories, for people and for programs, written piece by piece.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: one at a time, whoever asks.
 *
 * <p><b>May use</b> {@code dev.upcall.httpd.message} and below. Start with {@link
 * dev.upcall.httpd.listing.ListingResponse}.
 */
@NullMarked
package dev.upcall.httpd.listing;

import org.jspecify.annotations.NullMarked;
