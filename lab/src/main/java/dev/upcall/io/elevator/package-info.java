/**
 * Textbook I/O scheduling: the policies of Linux 2.6.16, to compare with a store's own. They are
 * found by their names where this module is there.
 *
 * <p><b>Owns</b> nothing: each policy is one scheduler's.
 *
 * <p><b>Thread</b>: that of its scheduler's dispatcher.
 *
 * <p><b>May use</b> {@code dev.upcall.io.schedule} and what that uses.
 */
@NullMarked
package dev.upcall.io.elevator;

import org.jspecify.annotations.NullMarked;
