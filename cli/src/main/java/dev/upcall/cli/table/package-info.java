/**
 * Commands on tables: entries one by one, by ranges, and as lines of JSON.
 *
 * <p><b>Owns</b> nothing but what one run of a command holds.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> {@code dev.upcall.table} and the packages of the commands below.
 */
@NullMarked
package dev.upcall.cli.table;

import org.jspecify.annotations.NullMarked;
