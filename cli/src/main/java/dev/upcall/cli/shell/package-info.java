/**
 * A command and the process around it: its streams, its directory, the signal that asks for its
 * end, its progress, and the store that the process may have open already.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> the command's way to an owner, and what belongs to a store. Start with {@link
 * dev.upcall.cli.shell.Shell}.
 */
@NullMarked
package dev.upcall.cli.shell;

import org.jspecify.annotations.NullMarked;
