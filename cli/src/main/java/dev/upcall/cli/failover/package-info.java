/**
 * What one process does to another one that has a volume open: {@code upcall takeover} ends it.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.io} to find the owner, and {@code dev.upcall.cli.option}.
 * Start with {@link dev.upcall.cli.failover.TakeoverCommand}.
 */
@NullMarked
package dev.upcall.cli.failover;

import org.jspecify.annotations.NullMarked;
