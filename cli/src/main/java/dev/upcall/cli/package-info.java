/**
 * The {@code upcall} command: which commands there are, how one is chosen and run, and how it ends.
 * The commands are in the packages below, by families.
 *
 * <p><b>Owns</b> the command line and its exit codes.
 *
 * <p><b>Thread</b>: the caller's; it reaches the store through the blocking facade.
 *
 * <p><b>May use</b> everything below it, and picocli.
 */
@NullMarked
package dev.upcall.cli;

import org.jspecify.annotations.NullMarked;
