package dev.upcall.coding;

/**
 * Content that a store has compressed and decoded since its opening, and the outcome.
 *
 * @param codedBytes content that was stored in coded units
 * @param storedBytes what those units take, in whole blocks
 * @param plainBytes content that was to be compressed and is stored as it is
 * @param decodedBytes content that was decoded, to be read
 */
public record CodingCounters(
    long codedBytes, long storedBytes, long plainBytes, long decodedBytes) {}
