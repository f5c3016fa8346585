/**
 * Commands on files of a store: look at them, make, change, move and remove them.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.cli.store} and below.
 */
@NullMarked
package dev.upcall.cli.files;

import org.jspecify.annotations.NullMarked;
