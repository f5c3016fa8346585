package dev.upcall.bench.harness;

/**
 * How warm a JVM was when its warm-up ended.
 *
 * @param seconds what it took
 * @param compiling the part of a core that the compiler took in the last round
 * @param drift by what part throughput of the last two rounds differed from that of the two before;
 *     NaN when there were not so many
 * @param steady whether the compiler was quiet and throughput changed no more, or less than it
 *     scatters; else the time was over
 */
public record Warmth(double seconds, double compiling, double drift, boolean steady) {}
