/**
 * Space given back: content of what was removed, extents that are out of every reader's sight
 * (deferred free), and what the device gets back.
 *
 * <p><b>Owns</b> what is on its way to being free.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.txn.checkpoint} and below. Start with {@link
 * dev.upcall.txn.reclaim.Reclaim}.
 */
@NullMarked
package dev.upcall.txn.reclaim;

import org.jspecify.annotations.NullMarked;
