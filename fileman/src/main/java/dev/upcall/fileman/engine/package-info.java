/**
 * How engines of other modules serve the calls of a store: what such a module provides, and what
 * its stores can besides.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> what programs name to keep files.
 */
@NullMarked
package dev.upcall.fileman.engine;

import org.jspecify.annotations.NullMarked;
