/**
 * {@code upcall blocks}: traces of what goes to a device, of ours and of others, measured, drawn,
 * put into other forms, and played again.
 *
 * <p><b>Owns</b> what a replay has open: the target, its thread, its scratch file.
 *
 * <p><b>Thread</b>: the command's; a replay has a dispatcher of its own.
 *
 * <p><b>May use</b> what is below the command line. Start at {@link
 * dev.upcall.cli.blocks.BlocksCommand}.
 */
@NullMarked
package dev.upcall.cli.blocks;

import org.jspecify.annotations.NullMarked;
