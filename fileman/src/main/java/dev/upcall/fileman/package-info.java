/**
 * The file manager: the namespace (names to segments), files and directories, batches, and the
 * blocking facade.
 *
 * <p><b>Owns</b> directories, paths and open files.
 *
 * <p><b>Thread</b>: the dispatcher's, except the blocking facade, which any platform or virtual
 * thread may call.
 *
 * <p><b>May use</b> the storage core.
 */
@NullMarked
package dev.upcall.fileman;

import org.jspecify.annotations.NullMarked;
