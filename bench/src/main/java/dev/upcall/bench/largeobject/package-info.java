/**
 * The machine of <i>The Performance of Three Database Storage Structures for Managing Large
 * Objects</i>: a disk that is counted instead of used, a pool of twelve pages, buddy spaces, count
 * trees, and large objects that carry out the store's own edit policies on them.
 *
 * <p><b>Owns</b> the model and its constants. Time is virtual: what calls and pages cost by the
 * paper. Bytes move only where somebody gives {@link dev.upcall.bench.largeobject.Contents}.
 *
 * <p><b>Thread</b>: the caller's; each machine is one thread's.
 *
 * <p><b>May use</b> {@code dev.upcall.edit}. Start with {@link
 * dev.upcall.bench.largeobject.LargeObject}.
 */
@NullMarked
package dev.upcall.bench.largeobject;

import org.jspecify.annotations.NullMarked;
