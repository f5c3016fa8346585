/**
 * The keys of encrypted stores: read from where they are kept, made for new volumes, and changed.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: that of a caller, which waits.
 *
 * <p><b>May use</b> {@code dev.upcall.fileman.engine} and below. Start with {@link
 * dev.upcall.fileman.keys.KeyReader}.
 */
@NullMarked
package dev.upcall.fileman.keys;

import org.jspecify.annotations.NullMarked;
