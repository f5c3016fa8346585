/**
 * Compression of content by zstd, through zstd-jni. A {@link java.util.ServiceLoader} finds it.
 *
 * <p><b>Owns</b> the native library, which is loaded when content is first compressed or read, and
 * a context of it for each thread that works at once.
 *
 * <p><b>Thread</b>: any.
 *
 * <p><b>May use</b> {@code dev.upcall.content}. Start at {@link dev.upcall.codec.zstd.ZstdCodec}.
 */
@NullMarked
package dev.upcall.codec.zstd;

import org.jspecify.annotations.NullMarked;
