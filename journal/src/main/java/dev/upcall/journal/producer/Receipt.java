package dev.upcall.journal.producer;

/**
 * A request is in the queue.
 *
 * @param sequence its number: with it the same request can be put in again without being done twice
 * @param index where its last entry is
 */
public record Receipt(long sequence, long index) {}
