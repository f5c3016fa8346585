/**
 * Pages of trees between memory and the volume: loading, writing, and what a lost page is.
 *
 * <p><b>Owns</b> pages under way.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.buffer}, {@code dev.upcall.io} and {@code dev.upcall.tree}.
 */
@NullMarked
package dev.upcall.segment.paging;

import org.jspecify.annotations.NullMarked;
