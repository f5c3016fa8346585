/** Tests of uploads that come in several requests. */
@NullMarked
package dev.upcall.httpd.resumable;

import org.jspecify.annotations.NullMarked;
