/**
 * The words in which requests are answered: a completion, the port where it arrives, and the closed
 * set of expected failures.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: each request says on which thread its port is called.
 *
 * <p><b>May use</b> the JDK. Start with {@link dev.upcall.completion.Completion}.
 */
@NullMarked
package dev.upcall.completion;

import org.jspecify.annotations.NullMarked;
