/**
 * Sockets on the dispatcher's own ring: accepting, receiving, sending and closing are entries of
 * the ring that the disk uses, and completions come back as upcalls. And how Netty is kept from
 * receiving more than was asked for.
 *
 * <p><b>Owns</b> the descriptors of accepted connections, a piece of native memory for each, and
 * what the kernel has of them.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.io}, for its loop, and Netty's transport. Start at {@link
 * dev.upcall.httpd.socket.RingSocket}.
 */
@NullMarked
package dev.upcall.httpd.socket;

import org.jspecify.annotations.NullMarked;
