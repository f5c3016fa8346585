/**
 * Pages of studies: what is measured, drawn and claimed, and one page with what comes out.
 *
 * <p><b>Owns</b> the form of a study ({@link dev.upcall.bench.report.Study}: settings in, a {@link
 * dev.upcall.bench.report.Section} out), of what is claimed ({@link dev.upcall.bench.report.Claim}:
 * data in, a sentence and a verdict out) and of the page: {@link dev.upcall.bench.report.StudyRun}
 * makes sections into a {@link dev.upcall.bench.report.StudyReport}.
 *
 * <p><b>Thread</b>: the command's own. Stores, servers and their load are child processes.
 *
 * <p><b>May use</b> the harness, the workers, and specweb's draws and documents.
 */
@NullMarked
package dev.upcall.bench.report;

import org.jspecify.annotations.NullMarked;
