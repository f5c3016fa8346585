/**
 * Writes of channels, and attributes that were set by paths, that are not committed yet.
 *
 * <p><b>Owns</b> their memory, which is bounded, and the virtual thread that commits them.
 *
 * <p><b>Thread</b>: any platform or virtual thread; locks are held for moments, and not while the
 * store is asked.
 *
 * <p><b>May use</b> what programs name of a store; {@link dev.upcall.nio.collected.FilesById} is
 * implemented above. Start with {@link dev.upcall.nio.collected.WriteBehind}.
 */
@NullMarked
package dev.upcall.nio.collected;

import org.jspecify.annotations.NullMarked;
