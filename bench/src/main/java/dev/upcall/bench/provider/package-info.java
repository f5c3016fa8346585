/**
 * Stores as file systems of {@code java.nio.file} against the host's: the same code on paths of
 * both.
 *
 * <p><b>Owns</b> the store and the directory that a job was given.
 *
 * <p><b>Thread</b>: one that calls and waits.
 *
 * <p><b>May use</b> {@code dev.upcall.bench.job}; asked by {@code dev.upcall.bench.worker}. Start
 * with {@link dev.upcall.bench.provider.ProviderJob}.
 */
@NullMarked
package dev.upcall.bench.provider;

import org.jspecify.annotations.NullMarked;
