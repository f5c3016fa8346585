/**
 * What clients ask of a server, asked by the process that serves: so that its JVM has run all that
 * before somebody waits for it, or writes down what that needs.
 *
 * <p><b>Owns</b> the connections of such clients.
 *
 * <p><b>Thread</b>: the caller's, which waits for the answers.
 *
 * <p><b>May use</b> nothing of the store. Start with {@link dev.upcall.cli.practice.Practice}.
 */
@NullMarked
package dev.upcall.cli.practice;

import org.jspecify.annotations.NullMarked;
