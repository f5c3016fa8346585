/**
 * HTTP connections as state machines: sessions, what they send and receive, and their transport.
 *
 * <p><b>Owns</b> connections and the responses under way.
 *
 * <p><b>Thread</b>: the dispatcher's, which is also the event loop of its sockets.
 *
 * <p><b>May use</b> {@code dev.upcall.httpd.answer} and below, and Netty's channels. Start with
 * {@link dev.upcall.httpd.session.HttpSession}.
 */
@NullMarked
package dev.upcall.httpd.session;

import org.jspecify.annotations.NullMarked;
