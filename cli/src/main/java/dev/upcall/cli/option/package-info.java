/**
 * Options that several commands have, in groups that each act where a command takes them, and what
 * their values are made of: sizes, durations, wrong usage and its exit code.
 *
 * <p><b>Owns</b> the words of these options, and the memory that a store gets unless told.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> the file manager's configuration.
 */
@NullMarked
package dev.upcall.cli.option;

import org.jspecify.annotations.NullMarked;
