/**
 * Coded content: units of blocks that are stored together in fewer, and the way from one form to
 * the other. Start at {@link dev.upcall.coding.StoredUnit}.
 *
 * <p><b>Owns</b> the helpers that code and decode; everything else is immutable.
 *
 * <p><b>Thread</b>: the dispatcher's; a {@link dev.upcall.content.UnitCodec} is called on helper
 * threads.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm}, {@code dev.upcall.io}, {@code dev.upcall.content} and
 * {@code dev.upcall.space}.
 */
@NullMarked
package dev.upcall.coding;

import org.jspecify.annotations.NullMarked;
