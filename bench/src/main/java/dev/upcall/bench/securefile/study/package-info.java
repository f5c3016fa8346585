/**
 * The experiments of <i>Oracle SecureFiles: Prepared for the Digital Deluge</i>, made again: what
 * is run, what the paper claims of it, and the page.
 *
 * <p><b>Owns</b> the claims with their bands.
 *
 * <p><b>Thread</b>: the main one; each store has a process of its own.
 *
 * <p><b>May use</b> the sets of objects, and the papers' harness. Start at {@link
 * dev.upcall.bench.securefile.study.SecureFilesPaper}.
 */
@NullMarked
package dev.upcall.bench.securefile.study;

import org.jspecify.annotations.NullMarked;
