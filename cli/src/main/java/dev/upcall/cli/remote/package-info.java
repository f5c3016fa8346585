/**
 * Commands for a store that another process has open: its owner listens on a socket beside the
 * volume, runs what is asked on the store that it has, and sends back what the command writes.
 *
 * <p><b>Owns</b> the socket and who may use it, the frames on it, and a command's standard streams
 * while they are at a client's.
 *
 * <p><b>Thread</b>: one that accepts, and two for each client: the command's, and one that hears of
 * the client's end whatever the command waits for. A client has its own, and one that reads
 * standard input.
 *
 * <p><b>May use</b> the JDK alone. Start reading at {@link dev.upcall.cli.remote.CommandListener}
 * and {@link dev.upcall.cli.remote.OwnerConnection}.
 */
@NullMarked
package dev.upcall.cli.remote;

import org.jspecify.annotations.NullMarked;
