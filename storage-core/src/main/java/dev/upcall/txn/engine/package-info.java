/**
 * The store put together: which parts it has, how they are joined, and how it is opened and closed.
 *
 * <p><b>Owns</b> the open store.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> all rooms of {@code dev.upcall.txn}. Start with {@link
 * dev.upcall.txn.engine.StoreEngine}.
 */
@NullMarked
package dev.upcall.txn.engine;

import org.jspecify.annotations.NullMarked;
