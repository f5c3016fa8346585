package dev.upcall.journal.queue;

/**
 * What the entries of a queue take.
 *
 * @param files each for five minutes
 * @param bytes as long as the files are; what the device holds of them may be less
 */
public record QueueUsage(int files, long bytes) {}
