/**
 * The base that all packages use and that uses none: clocks, invariants that stay on, checksums.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> the JDK. Start with {@link dev.upcall.base.Clock}.
 */
@NullMarked
package dev.upcall.base;

import org.jspecify.annotations.NullMarked;
