/**
 * The three workloads of <i>Characterization of the E-commerce Storage Subsystem Workload</i>:
 * which pages TPC-W, RUBiS and TPC-C ask a database for, from one seed. Pure: knows no disk and no
 * time.
 *
 * <p><b>Owns</b> tables as they lie one behind the other, mixes, laws of keys, and the recipes of
 * interactions.
 *
 * <p><b>Thread</b>: any one.
 *
 * <p><b>May use</b> nothing but the JDK. Start at {@link dev.upcall.bench.ecommerce.Workload}.
 */
@NullMarked
package dev.upcall.bench.ecommerce;

import org.jspecify.annotations.NullMarked;
