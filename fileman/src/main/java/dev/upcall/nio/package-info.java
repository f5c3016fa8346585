/**
 * Stores as file systems of the JDK: paths, directories, attributes and the provider of scheme
 * {@code upcall}. Programs see nothing of it but what {@code java.nio.file} declares.
 *
 * <p><b>Owns</b> the file systems that are open, and what is open in each until that is closed.
 *
 * <p><b>Thread</b>: any platform or virtual thread; calls wait.
 *
 * <p><b>May use</b> what programs name of a store, {@code nio.channel} and what that stands on. The
 * store's facade implements {@link dev.upcall.nio.collected.FilesById}. Start with {@link
 * dev.upcall.nio.UpcallFileSystem} and {@code docs/nio.md}.
 */
@NullMarked
package dev.upcall.nio;

import org.jspecify.annotations.NullMarked;
