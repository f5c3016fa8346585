/**
 * The comparison of state machines with threads, as the report <i>Storage System Design using
 * Finite State Machines</i> made it: its experiments again, one page with what comes out.
 *
 * <p><b>Owns</b> the experiments ({@link dev.upcall.bench.report.Study}: settings in, a {@link
 * dev.upcall.bench.report.Section} out), what is claimed ({@link dev.upcall.bench.report.Claim}:
 * data in, a sentence and a verdict out) and the page, which serves other reports, too: {@link
 * dev.upcall.bench.report.StudyRun} makes sections into a {@link
 * dev.upcall.bench.report.StudyReport}. {@link dev.upcall.bench.report.CyclesExperiment} measures
 * one point by itself.
 *
 * <p><b>Thread</b>: the command's own. Stores, servers and their load are child processes.
 *
 * <p><b>May use</b> the harness, the workers, and specweb's draws and documents.
 */
@NullMarked
package dev.upcall.bench.report;

import org.jspecify.annotations.NullMarked;
