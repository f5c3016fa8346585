/**
 * What a store's flight recorder has recorded, in files: an entry with its checksum, a thread that
 * drains the recorder into rolling files, and the reading of files, also of a process that was
 * killed.
 *
 * <p><b>Owns</b> a directory with the recording's files.
 *
 * <p><b>Thread</b>: each class says which; none is for a dispatcher, since files are touched.
 *
 * <p><b>May use</b> {@code dev.upcall.journal.queue}, for writing only: who reads needs neither
 * Chronicle Queue nor its flags. Start with {@link dev.upcall.journal.recording.RecordingWriter},
 * or at {@link dev.upcall.journal.recording.RecordingCodec} for the bytes.
 */
@NullMarked
package dev.upcall.journal.recording;

import org.jspecify.annotations.NullMarked;
