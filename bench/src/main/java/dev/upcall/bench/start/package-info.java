/**
 * How long a program with a store inside takes to start: from its JVM's to its first durable write.
 *
 * <p><b>Owns</b> the program that is started, and its files.
 *
 * <p><b>Thread</b>: the command's; the program is a process of its own.
 *
 * <p><b>May use</b> the harness, the peers and the blocking facade. Start with {@link
 * dev.upcall.bench.start.FirstWriteExperiment}.
 */
@NullMarked
package dev.upcall.bench.start;

import org.jspecify.annotations.NullMarked;
