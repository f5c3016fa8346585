/**
 * Access rules at the door of a store: what one request may see and change of it.
 *
 * <p><b>Owns</b> nothing that outlives a request.
 *
 * <p><b>Thread</b>: that of the sessions; waits for nothing.
 *
 * <p><b>May use</b> the words of {@code dev.upcall.httpd} and its answers. {@code
 * dev.upcall.httpd.session} puts a {@link dev.upcall.httpd.guarding.GuardedSite} in front of the
 * site for each request, and leaves it out where there are no rules.
 */
@NullMarked
package dev.upcall.httpd.guarding;

import org.jspecify.annotations.NullMarked;
