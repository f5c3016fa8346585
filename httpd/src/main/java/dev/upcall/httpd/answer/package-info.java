/**
 * The answer to a request, pure: which errand it is, which bytes of a file follow, and the heads of
 * responses. Both servers use it.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: one at a time, whoever asks.
 *
 * <p><b>May use</b> {@code dev.upcall.httpd.listing} and below. Start with {@link
 * dev.upcall.httpd.answer.Answers}.
 */
@NullMarked
package dev.upcall.httpd.answer;

import org.jspecify.annotations.NullMarked;
