/**
 * The other HTTP server: a thread for each connection, blocking sockets, and calls of the store
 * that return when they are done. For comparison with the sessions that are machines.
 *
 * <p><b>Owns</b> the listening socket, the connections and their threads.
 *
 * <p><b>Thread</b>: one accepts, one ({@code Watch}) looks at all connections' clocks, and each
 * connection has one, platform or virtual, that reads, asks the store, writes and waits.
 *
 * <p><b>May use</b> the blocking facade of the file manager and, of {@code dev.upcall.httpd}, what
 * HTTP means: {@code RequestDecoder}, {@code Request}, {@code Errand}, {@code Lookup}, {@code
 * FileAnswer}, {@code ListingResponse}, {@code BodyCheck} and {@code Answers} decide what is
 * answered, byte for byte, in both servers; only the waiting is here.
 *
 * <p>One GET: {@code Conversation.run} waits in {@code ClientSocket.receive}; {@code Downloading}
 * opens the file of the {@code BlockingSite} and sends one slice after the other, head and first
 * slice in one write, out of the store's frames; then the thread waits for the next request. One
 * PUT: {@code Uploading} reads a piece, hands it to the store, and reads the next when that took
 * it.
 *
 * <p>Nobody waits for ever. A thread that waits for the rest of a head or body, or for a client to
 * close, waits for a bounded time; one that waits for the next request, or for a client to take
 * what is sent, is woken by the {@code Watch}, which closes its socket.
 */
@NullMarked
package dev.upcall.httpd.blocking;

import org.jspecify.annotations.NullMarked;
