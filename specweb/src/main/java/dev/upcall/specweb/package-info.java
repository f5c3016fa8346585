/**
 * A file set and load in the manner of SPECweb96.
 *
 * <p><b>Owns</b> the names, sizes and contents of the file set.
 *
 * <p><b>Thread</b>: the caller's.
 *
 * <p><b>May use</b> the JDK and picocli; it knows no other module, so that it can test any server.
 */
@NullMarked
package dev.upcall.specweb;

import org.jspecify.annotations.NullMarked;
