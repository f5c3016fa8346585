/**
 * JMH benchmarks of single steps; each also runs once in the normal build.
 *
 * <p><b>Owns</b> its states.
 *
 * <p><b>Thread</b>: JMH's.
 *
 * <p><b>May use</b> every layer of the product.
 */
@NullMarked
package dev.upcall.bench.micro;

import org.jspecify.annotations.NullMarked;
