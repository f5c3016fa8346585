/**
 * Sets of objects of one kind, as the SecureFiles paper loads and reads them.
 *
 * <p><b>Owns</b> the objects' sizes and contents, how each store keeps them, and the worker that
 * loads and reads them.
 *
 * <p><b>Thread</b>: the worker's, and one for each stream.
 *
 * <p><b>May use</b> the peers, and the harness of workers. Start at {@link
 * dev.upcall.bench.securefile.ObjectsJob}.
 */
@NullMarked
package dev.upcall.bench.securefile;

import org.jspecify.annotations.NullMarked;
