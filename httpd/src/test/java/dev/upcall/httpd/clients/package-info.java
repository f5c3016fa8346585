/** Programs of others that talk to a server, where they are on this machine. */
@NullMarked
package dev.upcall.httpd.clients;

import org.jspecify.annotations.NullMarked;
