/**
 * Pure planners over names: what a request of the file manager finds, and what it would change.
 * They do no I/O and wait for nothing, so both engines use them.
 *
 * <p><b>Owns</b> the form of names and of file attributes.
 *
 * <p><b>Thread</b>: any, one at a time.
 *
 * <p><b>May use</b> the words of {@code dev.upcall}, and {@code dev.upcall.store}. Start with
 * {@link dev.upcall.fileman.plan.BatchPlanner}.
 */
@NullMarked
package dev.upcall.fileman.plan;

import org.jspecify.annotations.NullMarked;
