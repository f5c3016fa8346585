/**
 * The engine of threads: the same store as that of the state machines, by threads that wait. The
 * caller's thread goes down through names, content, frames and log under locks and does its own
 * I/O, as one would write it without state machines; formats and pure algorithms are shared.
 *
 * <p><b>Owns</b> memory for content ({@link dev.upcall.threads.FramePool}) and the locks of the
 * state. Start with {@link dev.upcall.threads.ThreadStore}, then {@link
 * dev.upcall.threads.Changes}.
 *
 * <p><b>Thread</b>: any, platform or virtual; and one of its own, on which the machines keep the
 * volume in order ({@link dev.upcall.threads.Keeper}).
 *
 * <p><b>Locks</b>, in the order in which one thread may take them ({@link
 * dev.upcall.locks.LockRank}; checked where assertions are on). No lock is held while a thread
 * waits for the disk or for the machines.
 *
 * <table>
 * <caption>Which lock protects what</caption>
 * <tr><td>CHANGES</td><td>the right to change the state: planned and applied one after the
 * other</td></tr>
 * <tr><td>STATE</td><td>trees, decoded inodes, unplaced content, SCN: shared by those who look and
 * plan, exclusive for those who apply, and for a page that came in</td></tr>
 * <tr><td>SPACE</td><td>the free-space map</td></tr>
 * <tr><td>LAYOUTS</td><td>the list of open extent trees (their pages are STATE's)</td></tr>
 * <tr><td>MEMORY</td><td>free memory and the order of eviction; finding and pinning a frame needs
 * no lock</td></tr>
 * <tr><td>LOG</td><td>batches that wait, and who writes</td></tr>
 * </table>
 *
 * <p>The SCNs that readers hold ({@link dev.upcall.threads.SharedPins}) have no lock: they are
 * pinned with STATE shared and looked at with STATE alone.
 *
 * <p>Clean tree pages are evicted only with CHANGES and STATE both, so that no page goes between a
 * plan and its application. The machines' upcalls run with CHANGES, STATE and SPACE.
 *
 * <p><b>May use</b> the layers below, from {@code dev.upcall.txn} down to {@code dev.upcall.fsm}.
 */
@NullMarked
package dev.upcall.threads;

import org.jspecify.annotations.NullMarked;
