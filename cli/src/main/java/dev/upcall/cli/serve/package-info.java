/**
 * {@code upcall serve}: a store over HTTP, with its admin port, its queue and its standby.
 *
 * <p><b>Owns</b> the server, until it is told to stop.
 *
 * <p><b>Thread</b>: the command's; the server has its own.
 *
 * <p><b>May use</b> {@code dev.upcall.cli.transfer} and below.
 */
@NullMarked
package dev.upcall.cli.serve;

import org.jspecify.annotations.NullMarked;
