/**
 * What embedders meet of a store besides its files: when a change counts as durable, named
 * snapshots, limits, numbers, and what a verification finds.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any; everything is immutable.
 *
 * <p><b>May use</b> {@code dev.upcall.config}. Start with {@link dev.upcall.store.Durability}.
 */
@NullMarked
package dev.upcall.store;

import org.jspecify.annotations.NullMarked;
