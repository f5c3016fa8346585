/** Tests of the HTTP server: over a simulated connection, and over real sockets. */
@NullMarked
package dev.upcall.httpd;

import org.jspecify.annotations.NullMarked;
