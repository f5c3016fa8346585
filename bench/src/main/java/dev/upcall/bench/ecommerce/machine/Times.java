package dev.upcall.bench.ecommerce.machine;

/**
 * What takes time besides the volume.
 *
 * @param thinkNanos of a client between two interactions, on average; exponential
 * @param applicationNanos of the application's processor for one
 * @param databaseNanos of the database's processor for one
 * @param pageNanos of the same for each page of it
 */
public record Times(long thinkNanos, long applicationNanos, long databaseNanos, long pageNanos) {}
