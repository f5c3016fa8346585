/**
 * Content as its users meet it, whoever holds it: slices that are read, content on its way in, and
 * whose they are.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.completion}. Start with {@link
 * dev.upcall.content.ContentSlice}.
 */
@NullMarked
package dev.upcall.content;

import org.jspecify.annotations.NullMarked;
