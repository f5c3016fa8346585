/**
 * The comparison of state machines with threads, as the report <i>Storage System Design using
 * Finite State Machines</i> made it: its experiments again, and what is claimed of them.
 *
 * <p><b>Owns</b> its studies, settings in and sections out, and its claims, data in, a sentence and
 * a verdict out. {@link dev.upcall.bench.fsm.CyclesExperiment} measures one point by itself.
 *
 * <p><b>Thread</b>: the command's own. Stores, servers and their load are child processes.
 *
 * <p><b>May use</b> the pages of reports, the harness, the workers, and specweb's draws and
 * documents.
 */
@NullMarked
package dev.upcall.bench.fsm;

import org.jspecify.annotations.NullMarked;
