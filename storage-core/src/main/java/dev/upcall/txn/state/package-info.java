/**
 * What a store is at one SCN: its trees, its dirty content, its free space, who still reads what;
 * and the steps that change it, with the form in which the log keeps them.
 *
 * <p><b>Owns</b> the commit sequence number and the state that it names.
 *
 * <p><b>Thread</b>: the dispatcher's; the engine of threads enters it under its locks.
 *
 * <p><b>May use</b> trees, free space, buffers, segments and the log's words. Start with {@link
 * dev.upcall.txn.state.StoreState}.
 */
@NullMarked
package dev.upcall.txn.state;

import org.jspecify.annotations.NullMarked;
