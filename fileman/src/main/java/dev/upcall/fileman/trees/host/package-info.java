/**
 * Files of the host as imports and exports meet them: names, links, expiry, sparse writing.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any; helpers that may wait for the host.
 *
 * <p><b>May use</b> the JDK and the words of the face.
 */
@NullMarked
package dev.upcall.fileman.trees.host;

import org.jspecify.annotations.NullMarked;
