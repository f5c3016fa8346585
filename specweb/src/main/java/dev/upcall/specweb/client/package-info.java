/**
 * A client for GETs of the file set that costs little: requests from a template, heads looked
 * through in place, bodies compared with a table.
 *
 * <p><b>Owns</b> connections, the syntax of requests and responses, and the checks of bodies.
 *
 * <p><b>Thread</b>: everything of one client belongs to its event loop.
 *
 * <p><b>May use</b> the file set, the interfaces of the load, and Netty.
 */
@NullMarked
package dev.upcall.specweb.client;

import org.jspecify.annotations.NullMarked;
