/**
 * {@code upcall access}: tokens and rules of who may do what over HTTP.
 *
 * <p><b>Owns</b> nothing; the file of rules is its user's, and only read.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.cli.shell} and {@code dev.upcall.cli.option}.
 */
@NullMarked
package dev.upcall.cli.access;

import org.jspecify.annotations.NullMarked;
