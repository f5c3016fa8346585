package dev.upcall.io.trace;

/**
 * What a trace is of.
 *
 * @param volumeId the volume; 0 if it is none of ours
 * @param epochNanos when it began, by the clock on the wall
 * @param clockNanos and by the clock of its entries
 */
public record TraceHeader(long volumeId, long epochNanos, long clockNanos) {}
