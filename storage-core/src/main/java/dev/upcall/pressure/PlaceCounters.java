package dev.upcall.pressure;

/**
 * How the places of one kind are used; an immutable copy.
 *
 * @param what who takes them
 * @param places how many there are
 * @param taken how many of them are taken
 * @param waiting who waits for one now
 * @param waited how many have had to
 * @param refused how many got none because too many waited
 * @param timedOut how many have waited for too long
 */
public record PlaceCounters(
    String what, int places, int taken, int waiting, long waited, long refused, long timedOut) {}
