/**
 * Access rules: which callers may list, read and change which paths.
 *
 * <p>{@link dev.upcall.guard.Access} is what a server asks; {@link dev.upcall.guard.AccessRules}
 * answers from the text of a file, {@link dev.upcall.guard.AccessFile} reads one. A program may
 * bring its own.
 *
 * <p>The package is called guard because {@code dev.upcall.access} is the layer of access methods
 * over segments.
 *
 * <p><b>Owns</b> nothing; immutable.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> the words of {@code dev.upcall}. Only {@code AccessFile} touches the host.
 */
@NullMarked
package dev.upcall.guard;

import org.jspecify.annotations.NullMarked;
