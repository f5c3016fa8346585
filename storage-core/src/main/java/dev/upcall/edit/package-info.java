/**
 * Edit policies: which bytes an insert, a cut or an append in the middle of a large object copies
 * together, and which stay where they are.
 *
 * <p><b>Owns</b> nothing. Pure: sizes of pieces in, a {@link dev.upcall.edit.Plan} out. Whoever
 * holds the pieces carries it out.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> {@code dev.upcall.base}. Start with {@link dev.upcall.edit.EditPlanner}, then
 * {@link dev.upcall.edit.Eos}.
 */
@NullMarked
package dev.upcall.edit;

import org.jspecify.annotations.NullMarked;
