/**
 * TPC-C as a program on tables: nine tables, their indexes, five transactions, and the conditions
 * of consistency of the specification; on our store, and on others. There are no terminals that
 * think, so what it counts are no tpmC.
 *
 * <p><b>Owns</b> the program.
 *
 * <p><b>Thread</b>: each terminal is a thread of a worker.
 *
 * <p><b>May use</b> the harness, jobs, peers, and the store's blocking facade.
 */
@NullMarked
package dev.upcall.bench.tpcc;

import org.jspecify.annotations.NullMarked;
