/**
 * The paper's experiments on proxy layouts, made again: what its tables and figures say, beside
 * what is found, and what that depends on.
 *
 * <p><b>Owns</b> the claims with their bands.
 *
 * <p><b>Thread</b>: any; runs go on side by side, each on one thread.
 *
 * <p><b>May use</b> the packages below {@code dev.upcall.bench.proxy} and the papers' harness.
 * Start at {@link dev.upcall.bench.proxy.study.ProxyPaper}.
 */
@NullMarked
package dev.upcall.bench.proxy.study;

import org.jspecify.annotations.NullMarked;
