/**
 * Where small objects lie in one file that is mapped into memory: segments of five classes, one
 * behind the other or placed so that none crosses a page. Pure arithmetic.
 *
 * <p><b>Owns</b> the segment classes and the two ways of packing.
 *
 * <p><b>Thread</b>: any one.
 *
 * <p><b>May use</b> nothing but the JDK. Start at {@link dev.upcall.bench.proxy.place.Packing}.
 */
@NullMarked
package dev.upcall.bench.proxy.place;

import org.jspecify.annotations.NullMarked;
