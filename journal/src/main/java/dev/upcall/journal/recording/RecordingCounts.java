package dev.upcall.journal.recording;

/**
 * What a recording has come to.
 *
 * @param recorded records that stand in files
 * @param dropped records that do not, since they were overwritten first or there was no room
 * @param bytes written into files, entries' heads included
 * @param off why it has ended before it was closed; empty while it goes on
 */
public record RecordingCounts(long recorded, long dropped, long bytes, String off) {}
