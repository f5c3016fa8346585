/**
 * The queue of requests on the command line: {@code upcall submit} puts requests in, {@code serve
 * --queue} does them.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.feed}, {@code dev.upcall.journal}, {@code
 * dev.upcall.cli.option} and below. Start with {@link dev.upcall.cli.queue.SubmitCommand}.
 */
@NullMarked
package dev.upcall.cli.queue;

import org.jspecify.annotations.NullMarked;
