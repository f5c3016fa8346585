/**
 * Settings that more than one layer takes: how a number is bounded, how threads wait, which disk.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: any; everything is immutable.
 *
 * <p><b>May use</b> {@code dev.upcall.base}. Start with {@link dev.upcall.config.Limits}.
 */
@NullMarked
package dev.upcall.config;

import org.jspecify.annotations.NullMarked;
