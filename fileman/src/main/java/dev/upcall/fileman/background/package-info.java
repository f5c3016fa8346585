/**
 * What deletes in the background: files that have expired, and directories that were removed with
 * all in them.
 *
 * <p><b>Owns</b> orphans and expired files.
 *
 * <p><b>Thread</b>: the dispatcher's.
 *
 * <p><b>May use</b> {@code dev.upcall.fileman.plan} and below. Start with {@link
 * dev.upcall.fileman.background.Reclaimer}.
 */
@NullMarked
package dev.upcall.fileman.background;

import org.jspecify.annotations.NullMarked;
