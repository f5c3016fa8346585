/**
 * HTTP messages, pure: requests cut out of bytes and judged by RFC 9110 and 9112 before any store
 * is asked.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: one at a time, whoever asks.
 *
 * <p><b>May use</b> {@code dev.upcall.httpd}, and Netty's HTTP codec. Start with {@link
 * dev.upcall.httpd.message.Request}.
 */
@NullMarked
package dev.upcall.httpd.message;

import org.jspecify.annotations.NullMarked;
