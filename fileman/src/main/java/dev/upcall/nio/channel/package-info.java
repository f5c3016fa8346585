/**
 * Channels on files of a store: what programs read and write through, with the exceptions that the
 * JDK's contract wants.
 *
 * <p><b>Owns</b> the position of each channel, and the operations of asynchronous ones that are
 * under way.
 *
 * <p><b>Thread</b>: any platform or virtual thread; calls wait, those of asynchronous channels do
 * not.
 *
 * <p><b>May use</b> {@code nio.content}, in which all channels of a file meet. Start with {@link
 * dev.upcall.nio.channel.UpcallFileChannel}.
 */
@NullMarked
package dev.upcall.nio.channel;

import org.jspecify.annotations.NullMarked;
