/**
 * Traces as others write and read them: fio's iolog (version 2 and 3) and the text of blkparse.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any one that may wait.
 *
 * <p><b>May use</b> {@code dev.upcall.io.trace}. Start at {@link
 * dev.upcall.io.trace.text.TraceForm}, which knows all forms, ours too.
 */
@NullMarked
package dev.upcall.io.trace.text;

import org.jspecify.annotations.NullMarked;
