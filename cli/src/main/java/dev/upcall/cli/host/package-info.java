/**
 * A command and the host's files: results, whose first failed write ends the command, and the files
 * that belong to an open store, which no command reads in or writes over.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> the options, and the way to an owner.
 */
@NullMarked
package dev.upcall.cli.host;

import org.jspecify.annotations.NullMarked;
