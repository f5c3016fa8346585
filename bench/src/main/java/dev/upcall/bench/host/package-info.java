/**
 * The machine on which is measured: programs, processes and what they cost, devices, large pages.
 *
 * <p><b>Owns</b> child processes and what is read of the kernel.
 *
 * <p><b>Thread</b>: the command's own; each child process has a daemon thread that reads its
 * output.
 *
 * <p><b>May use</b> the JDK; it knows nothing of the store.
 */
@NullMarked
package dev.upcall.bench.host;

import org.jspecify.annotations.NullMarked;
