/**
 * Volumes as they are opened: the descriptor of a volume's file with its locks, the disks over it
 * (the kernel's ring, a channel with helper threads), and the reactor that waits for their ends.
 *
 * <p><b>Owns</b> the volume's descriptor, the requests in flight and their kernel tags.
 *
 * <p><b>Thread</b>: requests and completions on the dispatcher's thread; what must block runs on
 * helper threads of this package and comes back as a completion.
 *
 * <p><b>May use</b> {@code dev.upcall.io}, {@code dev.upcall.fsm} and Netty's transport. Start with
 * {@link dev.upcall.io.volume.Volumes}.
 */
@NullMarked
package dev.upcall.io.volume;

import org.jspecify.annotations.NullMarked;
