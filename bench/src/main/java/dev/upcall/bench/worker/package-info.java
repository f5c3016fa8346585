/**
 * What runs in child processes of its own, so that the operating system can say what it cost: our
 * side of the experiments, the ceiling, the plain file system and other stores.
 *
 * <p><b>Owns</b> the jobs and the line protocol on standard input and output by which they are told
 * to run.
 *
 * <p><b>Thread</b>: the child's main thread takes orders; a job has the threads that it is about.
 *
 * <p><b>May use</b> every layer of the product.
 */
@NullMarked
package dev.upcall.bench.worker;

import org.jspecify.annotations.NullMarked;
