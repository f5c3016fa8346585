/**
 * The manual of the command line, written from the commands' own help when an archive is made: a
 * page for each command and the completion of the shell.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.cli.option} and below. Start with {@link
 * dev.upcall.cli.manual.ManualCommand}.
 */
@NullMarked
package dev.upcall.cli.manual;

import org.jspecify.annotations.NullMarked;
