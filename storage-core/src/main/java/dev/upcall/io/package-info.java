/**
 * The disk seam: requests to a disk, what their failures mean, and what stands in front of any disk
 * or below all of them (foreign calls, memory). The disks themselves are {@code
 * dev.upcall.io.volume}'s; scheduling and the block trace have rooms of their own.
 *
 * <p><b>Owns</b> the words for what the operating system answers.
 *
 * <p><b>Thread</b>: requests and completions on the dispatcher's thread.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm}.
 */
@NullMarked
package dev.upcall.io;

import org.jspecify.annotations.NullMarked;
