/**
 * The access log: a line for each response, on its way from dispatchers to a file.
 *
 * <p><b>Owns</b> a ring of bytes for each dispatcher, the file, and the thread that writes it.
 *
 * <p><b>Thread</b>: a {@link dev.upcall.httpd.log.LogRing} has one that writes lines, and the log's
 * own that takes them. No dispatcher waits for the file: a line for which the ring has no room is
 * dropped and counted.
 *
 * <p><b>May use</b> nothing of the server.
 */
@NullMarked
package dev.upcall.httpd.log;

import org.jspecify.annotations.NullMarked;
