/**
 * Edits in the middle of files: those of a store, and what others do for the same effect.
 *
 * <p><b>Owns</b> the store and the directory that a job was given.
 *
 * <p><b>Thread</b>: one that calls and waits; many edits at once begin on the store's thread.
 *
 * <p><b>May use</b> {@code dev.upcall.bench.job}, {@code dev.upcall.bench.peer} and, for the
 * experiment, {@code dev.upcall.bench.experiment}; asked by {@code dev.upcall.bench.worker}, and
 * for its store by {@code dev.upcall.bench.largeobject.study}. Start with {@link
 * dev.upcall.bench.edits.EditsJob}.
 */
@NullMarked
package dev.upcall.bench.edits;

import org.jspecify.annotations.NullMarked;
