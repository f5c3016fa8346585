/**
 * The HTTP server: each session is a state machine on a persistent connection.
 *
 * <p><b>Owns</b> the connections, their sessions and the responses under way.
 *
 * <p><b>Thread</b>: the dispatcher's, which is also the event loop of its sockets; {@code
 * HttpService} may be called from any other.
 *
 * <p>What is answered is decided by classes that wait for nothing, which the server of threads
 * ({@code dev.upcall.httpd.blocking}) uses as well, and which are public for that reason only:
 * {@code RequestDecoder}, {@code Request}, {@code Errand}, {@code Lookup}, {@code FileAnswer},
 * {@code ListingResponse}, {@code BodyCheck}, {@code Answers}.
 *
 * <p><b>May use</b> the file manager, the storage core and Netty's HTTP codec.
 *
 * <p>One GET, from socket to disk and back: {@code NettyConnection} notes the bytes and appends an
 * upcall; {@code HttpSession.received} gives them to {@code RequestDecoder}; {@code Request} judges
 * what comes out, {@code RequestTarget} makes a path of it; {@code Site.openRead} asks the file
 * manager; {@code Download.opened} takes slices of the {@code FileResponse} while the window of the
 * {@code ResponseWriter} is open, and waits in {@code READING} for those that are not in memory;
 * {@code NettyConnection} writes them without a copy and {@code FlushQueue} sends them; the end of
 * a write releases its slice and opens the window.
 *
 * <p>One PUT: {@code Upload} asks {@code SiteChanges.put}, brings the body to the store piece by
 * piece, and reads no further while the store does not want more; the status line is written when
 * the store has acknowledged the commit.
 */
@NullMarked
package dev.upcall.httpd;

import org.jspecify.annotations.NullMarked;
