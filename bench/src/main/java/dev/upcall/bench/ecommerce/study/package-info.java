/**
 * The study of e-commerce storage made again: its tables and figures, ours beside the printed ones,
 * with a verdict for each.
 *
 * <p><b>Owns</b> the printed figures and the bands in which ours must lie.
 *
 * <p><b>Thread</b>: one.
 *
 * <p><b>May use</b> {@code dev.upcall.bench.ecommerce.machine} and the report's pages. Start at
 * {@link dev.upcall.bench.ecommerce.study.EcommercePaper}.
 */
@NullMarked
package dev.upcall.bench.ecommerce.study;

import org.jspecify.annotations.NullMarked;
