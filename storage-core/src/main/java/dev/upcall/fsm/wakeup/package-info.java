/**
 * How threads find each other without waiting longer than they must: the inbox of a dispatcher with
 * its wake-up and its close, and how long it pays to look before one sleeps.
 *
 * <p><b>Owns</b> the only queue between threads.
 *
 * <p><b>Thread</b>: any; these classes stand at the thread boundary.
 *
 * <p><b>May use</b> {@code dev.upcall.base}, {@code dev.upcall.config}. Start with {@link
 * dev.upcall.fsm.wakeup.Inbox}.
 */
@NullMarked
package dev.upcall.fsm.wakeup;

import org.jspecify.annotations.NullMarked;
