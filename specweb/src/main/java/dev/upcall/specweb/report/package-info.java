/**
 * The result of a test: JSON as the source, and a page made from it.
 *
 * <p><b>Owns</b> the form of the report, and what it says of machine and software.
 *
 * <p><b>Thread</b>: the caller's.
 *
 * <p><b>May use</b> the results of a run, and {@link dev.upcall.specweb.document}.
 */
@NullMarked
package dev.upcall.specweb.report;

import org.jspecify.annotations.NullMarked;
