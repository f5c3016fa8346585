/**
 * One change on its way: the plan that looks and says what to do, the verdict whether that may be
 * applied, and its application in one upcall.
 *
 * <p><b>Owns</b> changes under way.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.state} and below. Start with {@link
 * dev.upcall.txn.change.ChangeRun}.
 */
@NullMarked
package dev.upcall.txn.change;

import org.jspecify.annotations.NullMarked;
