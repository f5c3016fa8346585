/**
 * From one process that has a volume open to the next: {@code upcall takeover} ends the first,
 * {@code upcall handover} lets it leave store and address to a standby.
 *
 * <p><b>Owns</b> who waits for a store, and the socket of one that listens already.
 *
 * <p><b>Thread</b>: the command's; a standby's announcement has its own.
 *
 * <p><b>May use</b> {@code dev.upcall.io} to find the owner, {@code dev.upcall.httpd.server},
 * {@code dev.upcall.fileman.blocking}, {@code dev.upcall.cli.remote} and {@code
 * dev.upcall.cli.option}. Start with {@link dev.upcall.cli.failover.TakeoverCommand} and {@link
 * dev.upcall.cli.failover.Departure}.
 */
@NullMarked
package dev.upcall.cli.failover;

import org.jspecify.annotations.NullMarked;
