/**
 * {@code upcall trace}: what a flight recorder has recorded, for people and for programs, from
 * files or from the memory of a store that is served.
 *
 * <p><b>Owns</b> nothing but the file into which it exports.
 *
 * <p><b>Thread</b>: each command one, its own.
 *
 * <p><b>May use</b> the options of {@code dev.upcall.cli.option}, {@code dev.upcall.feed} and
 * {@code dev.upcall.journal.trace}. Start with {@link dev.upcall.cli.trace.TraceCommand}.
 */
@NullMarked
package dev.upcall.cli.trace;

import org.jspecify.annotations.NullMarked;
