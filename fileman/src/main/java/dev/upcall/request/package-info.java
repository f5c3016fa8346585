/**
 * Operations on files as values: {@link dev.upcall.request.Look} for what is asked, {@link
 * dev.upcall.request.Change} for what is changed.
 *
 * <p><b>Owns</b> nothing; immutable.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> the words of {@code dev.upcall} (paths, options, answers). The faces there
 * build requests and pass them on, each through its method {@code ask}.
 */
@NullMarked
package dev.upcall.request;

import org.jspecify.annotations.NullMarked;
