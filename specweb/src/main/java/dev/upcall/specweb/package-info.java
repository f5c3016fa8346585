/**
 * The file set of a load in the manner of SPECweb96.
 *
 * <p><b>Owns</b> the names, sizes and contents of the file set.
 *
 * <p><b>Thread</b>: the caller's.
 *
 * <p><b>May use</b> the JDK; it knows no other module, so that any server can be tested with it.
 */
@NullMarked
package dev.upcall.specweb;

import org.jspecify.annotations.NullMarked;
