/**
 * What commands and a server say of damage: which files it costs, and where in them.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the caller's.
 *
 * <p><b>May use</b> the options of commands and the file manager. Start with {@link
 * dev.upcall.cli.damage.DamagedFiles}.
 */
@NullMarked
package dev.upcall.cli.damage;

import org.jspecify.annotations.NullMarked;
