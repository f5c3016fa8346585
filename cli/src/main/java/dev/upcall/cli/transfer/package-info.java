/**
 * Commands that carry trees between the host and a store: {@code import} and {@code export}.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.cli.store} and below.
 */
@NullMarked
package dev.upcall.cli.transfer;

import org.jspecify.annotations.NullMarked;
