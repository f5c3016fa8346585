/**
 * The {@code upcall specweb} command.
 *
 * <p><b>Owns</b> the command line, the progress line and what Ctrl-C does.
 *
 * <p><b>Thread</b>: the main one.
 *
 * <p><b>May use</b> every other package of this module, and picocli.
 */
@NullMarked
package dev.upcall.specweb.cli;

import org.jspecify.annotations.NullMarked;
