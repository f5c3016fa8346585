/**
 * Directories of the host to a store and back: what {@code upcall import}, {@code serve} and {@code
 * export} do, without the command line around it.
 *
 * <p><b>Owns</b> the walk over a directory, the comparison with what a store holds, and the state
 * of imports that is kept in the store (an attribute of each imported entry).
 *
 * <p><b>Thread</b>: the caller's, and a few of its own that read and write the host's files; all
 * reach the store through the blocking facade.
 *
 * <p><b>May use</b> the file manager and the host's file system.
 */
@NullMarked
package dev.upcall.cli.transfer;

import org.jspecify.annotations.NullMarked;
