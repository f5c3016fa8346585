/**
 * The layouts on devices: real files and a really mapped file on this machine's file system, and
 * files of our store.
 *
 * <p><b>Owns</b> how a layout becomes files, and the worker that replays a trace over them.
 *
 * <p><b>Thread</b>: the worker's only one.
 *
 * <p><b>May use</b> the trace, the layouts, the bounded caches, and the harness of workers. Start
 * at {@link dev.upcall.bench.proxy.device.DeviceJob}.
 */
@NullMarked
package dev.upcall.bench.proxy.device;

import org.jspecify.annotations.NullMarked;
