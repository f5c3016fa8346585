/**
 * Commands that people know from their shell, on the files of a store: {@code find}, {@code df},
 * {@code cp}, {@code chmod} and {@code touch}, with the flags that they have there. A command here
 * is its options and what it does with an open store; opening that is another's business.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.trees}, {@code dev.upcall.cli.option} and below. Start with
 * {@link dev.upcall.cli.posix.Around}.
 */
@NullMarked
package dev.upcall.cli.posix;

import org.jspecify.annotations.NullMarked;
