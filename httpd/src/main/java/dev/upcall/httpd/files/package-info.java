/**
 * The files of a store as a site shows them: without unfinished uploads, and with the names that
 * are left of damaged directories.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the dispatcher's for sites; anybody's for what is pure, which both servers use.
 *
 * <p><b>May use</b> {@code dev.upcall.httpd}, which makes what is here. Start with {@link
 * dev.upcall.httpd.files.StoreSite}.
 */
@NullMarked
package dev.upcall.httpd.files;

import org.jspecify.annotations.NullMarked;
