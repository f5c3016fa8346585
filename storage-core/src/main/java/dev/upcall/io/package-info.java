/**
 * The I/O manager: the disk seam and its implementations (ring, channel). What stands in front of a
 * disk has rooms of its own: scheduling, and the block trace.
 *
 * <p><b>Owns</b> the volume's descriptor, the requests in flight and their kernel tags.
 *
 * <p><b>Thread</b>: requests and completions on the dispatcher's thread; what must block runs on
 * helper threads of this package and comes back as a completion.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm} and Netty's transport.
 */
@NullMarked
package dev.upcall.io;

import org.jspecify.annotations.NullMarked;
