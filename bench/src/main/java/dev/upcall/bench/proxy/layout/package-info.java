/**
 * How proxies lay their objects out on disk: CERN, Squid and the paper's variants of Squid, over
 * the counted file system, with a cache that never replaces anything.
 *
 * <p><b>Owns</b> which file or segment an object has.
 *
 * <p><b>Thread</b>: any one, one a run.
 *
 * <p><b>May use</b> the trace, the packing of segments and the counted file system. Start at {@link
 * dev.upcall.bench.proxy.layout.InfiniteRun}.
 */
@NullMarked
package dev.upcall.bench.proxy.layout;

import org.jspecify.annotations.NullMarked;
