/**
 * The words that both HTTP servers share with their users: limits, the content served (a {@link
 * dev.upcall.httpd.Site}), statuses, and counts.
 *
 * <p><b>Owns</b> nothing. A server is made in {@code dev.upcall.httpd.server} (each session a state
 * machine on a persistent connection) or in {@code dev.upcall.httpd.blocking} (a thread for each
 * connection). What is answered is decided by classes that wait for nothing and that both use:
 * {@code dev.upcall.httpd.message}, {@code .listing} and {@code .answer}.
 *
 * <p><b>Thread</b>: a site is asked on the dispatcher's, which is also the event loop of the
 * sockets; where these are several, in front of the site's, {@code dev.upcall.httpd.relay} stands
 * in between.
 *
 * <p><b>May use</b> the file manager's words.
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
