/**
 * How files are told to browsers: response fields, origins of other sites, character sets and
 * compressed neighbours by path, from the lines of a file.
 *
 * <p><b>Owns</b> nothing; immutable.
 *
 * <p><b>Thread</b>: any. {@code WebRules.read} blocks.
 *
 * <p><b>May use</b> the words of {@code dev.upcall}. Start with {@link
 * dev.upcall.httpd.web.WebRules}.
 */
@NullMarked
package dev.upcall.httpd.web;

import org.jspecify.annotations.NullMarked;
