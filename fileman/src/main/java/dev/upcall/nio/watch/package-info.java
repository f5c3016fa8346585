/**
 * Watch services: directories of a store watched by what the store tells of its changes.
 *
 * <p><b>Owns</b> the keys of each service and the events that nobody has taken yet.
 *
 * <p><b>Thread</b>: any platform or virtual thread; {@link dev.upcall.nio.watch.EntrySink} is the
 * store's thread's, which neither waits there nor takes a lock.
 *
 * <p><b>May use</b> what programs name of a store; {@link dev.upcall.nio.watch.Directories} is
 * implemented above. Start with {@link dev.upcall.nio.watch.StoreWatchService}.
 */
@NullMarked
package dev.upcall.nio.watch;

import org.jspecify.annotations.NullMarked;
