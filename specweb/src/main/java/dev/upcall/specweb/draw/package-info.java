/**
 * What is asked for and when: seeded draws of files and of gaps between arrivals.
 *
 * <p><b>Owns</b> the class shares, the weights inside a class, the popularity of directories, and
 * how seeds are made.
 *
 * <p><b>Thread</b>: each object belongs to one thread.
 *
 * <p><b>May use</b> the file set.
 */
@NullMarked
package dev.upcall.specweb.draw;

import org.jspecify.annotations.NullMarked;
