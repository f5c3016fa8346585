package dev.upcall.config;

import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.Cork;
import dev.upcall.fsm.door.PassivePort;
import java.time.Duration;
import java.util.Objects;

/**
 * The limits of waiting at the thread boundary: how long a wake-up may be held back so that it
 * stands for several, and how long a thread looks for what is about to come before it sleeps.
 *
 * @param wakeLimit upcalls that run at most between a completion for a sleeping holder of a {@link
 *     PassivePort} and the holder's wake-up, and requests at most that a {@link Cork} holds one
 *     wake-up back for
 * @param wakeDelayNanos age of such a completion from which on the holder is woken between two
 *     upcalls; at the end of the turn it is woken in any case. Zero wakes at once
 * @param dozeNanos how long a dispatcher, after a corked request, sleeps with a timer instead of
 *     for ever: what such a request may be late at most when its holder goes away without a word.
 *     Zero switches corks off
 * @param spinNanos how long a dispatcher that has answered a caller who waits ({@link Blocking})
 *     looks for the next call before it sleeps, where that has paid lately and there are several
 *     processors. Zero for never
 * @param callerSpinNanos how long such a caller looks for its answer at most before it parks,
 *     likewise. A quarter of it is for all callers, and should cover the waking of a dispatcher
 *     that sleeps; the rest for a platform thread that looks alone, and should cover a durable
 *     write
 */
public record WaitConfig(
    int wakeLimit, long wakeDelayNanos, long dozeNanos, long spinNanos, long callerSpinNanos) {
  private static final long MAX_NANOS = 1_000_000_000;

  /** Checks every limit. */
  public WaitConfig {
    Limits.within("wakeLimit", wakeLimit, 1, 1 << 16);
    Limits.within("wakeDelayNanos", wakeDelayNanos, 0, MAX_NANOS);
    Limits.within("dozeNanos", dozeNanos, 0, MAX_NANOS);
    Limits.within("spinNanos", spinNanos, 0, MAX_NANOS);
    Limits.within("callerSpinNanos", callerSpinNanos, 0, MAX_NANOS);
  }

  /** The limits that a store uses unless told otherwise. */
  public static WaitConfig defaults() {
    return new WaitConfig(64, 100_000, 200_000, 25_000, 200_000);
  }

  /** The same with another age from which on a completion wakes its holder. */
  public WaitConfig withWakeDelay(Duration delay) {
    return new WaitConfig(
        wakeLimit,
        Limits.nanos(Objects.requireNonNull(delay, "delay")),
        dozeNanos,
        spinNanos,
        callerSpinNanos);
  }

  /** The same with another sleep after a corked request. */
  public WaitConfig withDoze(Duration doze) {
    return new WaitConfig(
        wakeLimit,
        wakeDelayNanos,
        Limits.nanos(Objects.requireNonNull(doze, "doze")),
        spinNanos,
        callerSpinNanos);
  }

  /** The same with other times in which the dispatcher and its callers look for each other. */
  public WaitConfig withSpins(Duration dispatcher, Duration caller) {
    return new WaitConfig(
        wakeLimit,
        wakeDelayNanos,
        dozeNanos,
        Limits.nanos(Objects.requireNonNull(dispatcher, "dispatcher")),
        Limits.nanos(Objects.requireNonNull(caller, "caller")));
  }

  /** The same with nobody looking: who waits sleeps at once. */
  public WaitConfig withoutSpinning() {
    return new WaitConfig(
        wakeLimit, wakeDelayNanos, dozeNanos, /* spinNanos= */ 0, /* callerSpinNanos= */ 0);
  }
}
