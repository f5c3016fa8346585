/**
 * The requests that a web proxy gets in two days: drawn from one seed after the facts that
 * <i>Reducing the Disk I/O of Web Proxy Server Caches</i> prints, and measured against these facts
 * before anything is derived from them. Pure: knows no disk and no time.
 *
 * <p><b>Owns</b> the objects (size, server, popularity), the order of requests, and the marks that
 * a trace must reach.
 *
 * <p><b>Thread</b>: any one.
 *
 * <p><b>May use</b> nothing but the JDK. Start at {@link dev.upcall.bench.proxy.trace.TraceDraw}.
 */
@NullMarked
package dev.upcall.bench.proxy.trace;

import org.jspecify.annotations.NullMarked;
