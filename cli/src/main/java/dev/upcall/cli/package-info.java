/**
 * The {@code upcall} command: serve, import, export and the commands that look into a store.
 *
 * <p><b>Owns</b> the command line, its exit codes and its progress display.
 *
 * <p><b>Thread</b>: the caller's; it reaches the store through the blocking facade.
 *
 * <p><b>May use</b> everything below it, and picocli.
 */
@NullMarked
package dev.upcall.cli;

import org.jspecify.annotations.NullMarked;
