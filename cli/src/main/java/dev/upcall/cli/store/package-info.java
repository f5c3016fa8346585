/**
 * How a command comes to its store: it opens one, asks the process that has it open, or is run by
 * that process; and how others use a store that a command has open.
 *
 * <p><b>Owns</b> the store that it opens, until the command ends.
 *
 * <p><b>Thread</b>: the command's; commands of others have threads of their own.
 *
 * <p><b>May use</b> {@code dev.upcall.cli.shell} and below. Start with {@link
 * dev.upcall.cli.store.StoreAccess}.
 */
@NullMarked
package dev.upcall.cli.store;

import org.jspecify.annotations.NullMarked;
