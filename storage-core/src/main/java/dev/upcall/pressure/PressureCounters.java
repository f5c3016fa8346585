package dev.upcall.pressure;

/**
 * How short a store is of one thing; an immutable copy.
 *
 * @param what the thing
 * @param level how much of it is in use
 * @param at from which levels on something happens
 * @param waiting who waits for it now
 * @param waited how many have had to
 * @param refused how many of them in vain
 */
public record PressureCounters(
    Scarce what, long level, Thresholds at, int waiting, long waited, long refused) {}
