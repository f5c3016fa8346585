/**
 * The server put together: the site, its sessions and the sockets that it accepts.
 *
 * <p><b>Owns</b> the listening socket.
 *
 * <p><b>Thread</b>: the dispatcher's; {@code HttpService} may be called from any other.
 *
 * <p><b>May use</b> {@code dev.upcall.httpd.session} and below. Start with {@link
 * dev.upcall.httpd.server.HttpServer}.
 */
@NullMarked
package dev.upcall.httpd.server;

import org.jspecify.annotations.NullMarked;
