/**
 * Other stores, each as its own documentation recommends for durable commits, behind one interface.
 *
 * <p><b>Owns</b> how each is configured.
 *
 * <p><b>Thread</b>: {@link dev.upcall.bench.peer.DurableStore#put} may come from any number of
 * threads.
 *
 * <p><b>May use</b> the libraries of the peers, {@code dev.upcall.bench.harness} to find programs,
 * and nothing of the product.
 */
@NullMarked
package dev.upcall.bench.peer;

import org.jspecify.annotations.NullMarked;
