/**
 * A site that is asked on one dispatcher and lives on another: what stands between HTTP dispatchers
 * with threads of their own and the store's.
 *
 * <p><b>Owns</b> the messages on their way, those of one turn and one direction as one, and on the
 * HTTP side the slices that come with opened files.
 *
 * <p><b>Thread</b>: each class says on which of the two dispatchers its methods are called.
 *
 * <p><b>May use</b> {@link dev.upcall.httpd.Site} and the kernel. Start with {@link
 * dev.upcall.httpd.relay.RelayedSite}, then {@link dev.upcall.httpd.relay.Relay}.
 */
@NullMarked
package dev.upcall.httpd.relay;

import org.jspecify.annotations.NullMarked;
