/**
 * Commands on a store as a whole: make it, verify it, tell about it, and its snapshots.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.cli.store} and below.
 */
@NullMarked
package dev.upcall.cli.volume;

import org.jspecify.annotations.NullMarked;
