/**
 * TLS 1.3 and 1.2 in front of a session: a connection around another one, which encrypts what is
 * sent and decrypts what arrives.
 *
 * <p><b>Owns</b> engines, certificates in force, and the threads on which handshakes are computed.
 *
 * <p><b>Thread</b>: the dispatcher's for records of an open connection. A step of a handshake runs
 * on a thread of {@link dev.upcall.httpd.tls.HandshakeThreads}, to which the engine belongs
 * meanwhile. Files are read by threads that may wait.
 *
 * <p><b>May use</b> {@code dev.upcall.httpd.session} and below, and Netty's engines. Start with
 * {@link dev.upcall.httpd.tls.TlsConnection}.
 */
@NullMarked
package dev.upcall.httpd.tls;

import org.jspecify.annotations.NullMarked;
