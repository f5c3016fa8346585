/**
 * The experiment of tables: entries of ours and of other stores under the same loads, and how a
 * store with many of them opens.
 *
 * <p><b>Owns</b> the loads and which store may use how much memory.
 *
 * <p><b>Thread</b>: jobs run in a worker, the experiment in the command's own thread.
 *
 * <p><b>May use</b> the harness, the entrants, the peers and the store's blocking facade.
 */
@NullMarked
package dev.upcall.bench.table;

import org.jspecify.annotations.NullMarked;
