/**
 * What the build does to compiled classes before they are tested and packed: it makes classes of
 * their lambdas and type switches, so that a program starts sooner.
 *
 * <p><b>Owns</b> the class files of a module's output folder while it runs.
 *
 * <p><b>Thread</b>: the command's.
 *
 * <p><b>May use</b> the JDK alone: the build runs it from its source, before anything is compiled.
 * Start with {@link dev.upcall.weave.Weave}.
 */
@NullMarked
package dev.upcall.weave;

import org.jspecify.annotations.NullMarked;
