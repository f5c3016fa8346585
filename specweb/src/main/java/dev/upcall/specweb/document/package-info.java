/**
 * Pages, drawings and JSON: the one writer of each, whatever is reported.
 *
 * <p><b>Owns</b> how pages and plots look, how texts are escaped, and how JSON is laid out. Start
 * at {@link HtmlPage}, {@link Plot} and {@link JsonWriter}; {@link JsonTree} reads JSON again.
 *
 * <p><b>Thread</b>: the caller's. Nothing here is shared between threads.
 *
 * <p><b>May use</b> Jackson's streams, and nothing else of this project.
 */
@NullMarked
package dev.upcall.specweb.document;

import org.jspecify.annotations.NullMarked;
