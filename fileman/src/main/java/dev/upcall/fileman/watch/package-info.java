/**
 * What becomes of the entries of directories that somebody watches, out of what the store tells of
 * its changes.
 *
 * <p><b>Owns</b> which file lies where in directories whose files' changes are watched.
 *
 * <p><b>Thread</b>: the dispatcher's, or whoever applies a change while nobody else looks.
 *
 * <p><b>May use</b> names and inodes as the planners have them, the storage core below, and the
 * sinks of {@link dev.upcall.nio.watch}. Start with {@link
 * dev.upcall.fileman.watch.WatchedDirectories}.
 */
@NullMarked
package dev.upcall.fileman.watch;

import org.jspecify.annotations.NullMarked;
