/**
 * The rules of the house as failing tests: layers, banned calls with their replacements, and what
 * the source text must or must not hold.
 *
 * <p><b>Owns</b> the rules and their lists of reasoned exceptions ({@link
 * dev.upcall.house.Exceptions}).
 *
 * <p><b>Thread</b>: the test's.
 *
 * <p><b>May use</b> ArchUnit; the modules above run the same rules on their own packages.
 */
@NullMarked
package dev.upcall.house;

import org.jspecify.annotations.NullMarked;
