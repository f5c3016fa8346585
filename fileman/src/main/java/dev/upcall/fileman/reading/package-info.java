/**
 * Files opened and read for callers on other threads, whichever door they came through.
 *
 * <p><b>Owns</b> what is open, until the caller closes it, or the store everything.
 *
 * <p><b>Thread</b>: the dispatcher's; {@link dev.upcall.fileman.reading.SliceCopy} any.
 *
 * <p><b>May use</b> the file manager's face and the storage core. Start with {@link
 * dev.upcall.fileman.reading.WholeRead}.
 */
@NullMarked
package dev.upcall.fileman.reading;

import org.jspecify.annotations.NullMarked;
