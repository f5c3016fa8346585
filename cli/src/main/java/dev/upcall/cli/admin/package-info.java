/**
 * The pages of the admin port, and the meters of what stands on a store: its HTTP server, its queue
 * of requests, its recording.
 *
 * <p><b>Owns</b> the names, units and meanings of those meters; docs/metrics.md lists them with
 * those of the store.
 *
 * <p><b>Thread</b>: the dispatcher's; a helper thread writes the text.
 *
 * <p><b>May use</b> {@code dev.upcall.metrics}, the HTTP server, the feed and the file manager.
 * Start with {@link dev.upcall.cli.admin.AdminPages}.
 */
@NullMarked
package dev.upcall.cli.admin;

import org.jspecify.annotations.NullMarked;
