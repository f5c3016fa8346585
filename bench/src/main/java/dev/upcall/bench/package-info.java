/**
 * Benchmarks: JMH classes and closed-loop experiments that put the concurrency models side by side.
 *
 * <p><b>Owns</b> its measurements; no part of the product uses it.
 *
 * <p><b>Thread</b>: JMH's, or those that an experiment starts.
 *
 * <p><b>May use</b> every other module.
 */
@NullMarked
package dev.upcall.bench;

import org.jspecify.annotations.NullMarked;
