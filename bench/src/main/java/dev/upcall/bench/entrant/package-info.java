/**
 * The participants of an experiment: our processes, servers and commands, and those of peers.
 *
 * <p><b>Owns</b> the processes that it starts, and the command lines of peers.
 *
 * <p><b>Thread</b>: the command's own.
 *
 * <p><b>May use</b> the harness, the workers, and the host.
 */
@NullMarked
package dev.upcall.bench.entrant;

import org.jspecify.annotations.NullMarked;
