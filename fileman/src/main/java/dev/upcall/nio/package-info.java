/**
 * Stores as file systems of the JDK: paths, channels, attributes and the provider of scheme {@code
 * upcall}. Programs see nothing of it but what {@code java.nio.file} declares.
 *
 * <p><b>Owns</b> the channels, directory streams and locks of each file system until they are
 * closed.
 *
 * <p><b>Thread</b>: any platform or virtual thread; calls wait.
 *
 * <p><b>May use</b> what programs name of a store, and {@code nio.collected}, whose {@link
 * dev.upcall.nio.collected.FilesById} the store's facade implements. Start with {@link
 * dev.upcall.nio.UpcallFileSystem} and {@code docs/nio.md}.
 */
@NullMarked
package dev.upcall.nio;

import org.jspecify.annotations.NullMarked;
