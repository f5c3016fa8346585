/**
 * The encryption of a volume: the cipher of its blocks, the slots in which its key is kept, and the
 * disk that seals what goes down and opens what comes up.
 *
 * <p><b>Owns</b> the volume's key while the store is open, and the memory of writes on their way.
 *
 * <p><b>Thread</b>: the dispatcher's; a {@link dev.upcall.io.seal.SealedDevice} serves any.
 *
 * <p><b>May use</b> {@code dev.upcall.io} and below. Start with {@link dev.upcall.io.seal.Seal}.
 */
@NullMarked
package dev.upcall.io.seal;

import org.jspecify.annotations.NullMarked;
