package dev.upcall.fsm.meter;

/**
 * How often threads that waited stayed awake and looked for the end, before they slept if they did.
 *
 * @param looks waits in which a thread looked
 * @param found those in which it came while the thread looked
 * @param nanos how long threads looked, all in all
 */
public record LookCounts(long looks, long found, long nanos) {
  /** Nobody looked. */
  public static final LookCounts NONE = new LookCounts(0, 0, 0);
}
