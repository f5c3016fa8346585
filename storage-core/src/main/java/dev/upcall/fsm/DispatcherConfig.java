package dev.upcall.fsm;

import dev.upcall.config.Limits;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.record.RecordRing;
import java.util.Objects;

/**
 * The limits of a {@link Dispatcher}: every step of its turn is bounded by one of them.
 *
 * @param name for messages, metrics and the owner's thread
 * @param crossThreadLimit upcalls taken from other threads in one turn
 * @param reapLimit I/O completions taken in one turn
 * @param upcallLimit upcalls run in one turn, those included that were posted in the same turn
 * @param timerLimit timers run in one turn
 * @param fifoLimit entries in the FIFO. Admission keeps it far lower (each admitted request has a
 *     bounded number of upcalls waiting); going over it is a programmer's error and stops the
 *     dispatcher
 * @param finishLimit upcalls run at most after {@link Dispatcher#stop} once all that had been
 *     accepted has run: what those have posted
 * @param stallThresholdNanos an upcall that takes longer counts as a stall and is named; zero
 *     switches the timing of single upcalls off (turns are always timed)
 * @param recordsKept how many of the last records the flight recorder keeps, 48 bytes each: a power
 *     of two, or 0 to record nothing
 * @param waiting how wake-ups are held back and how it waits
 */
public record DispatcherConfig(
    String name,
    int crossThreadLimit,
    int reapLimit,
    int upcallLimit,
    int timerLimit,
    int fifoLimit,
    int finishLimit,
    long stallThresholdNanos,
    int recordsKept,
    WaitConfig waiting) {

  /** Checks every limit and their relations. */
  public DispatcherConfig {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(waiting, "waiting");
    Limits.require(!name.isBlank(), "a dispatcher needs a name");
    Limits.within("crossThreadLimit", crossThreadLimit, 1, 1 << 20);
    Limits.within("reapLimit", reapLimit, 1, 1 << 20);
    Limits.within("upcallLimit", upcallLimit, 1, 1 << 20);
    Limits.within("timerLimit", timerLimit, 1, 1 << 20);
    Limits.within("fifoLimit", fifoLimit, 1, 1 << 28);
    Limits.within("finishLimit", finishLimit, 0, 1 << 28);
    Limits.atLeast("stallThresholdNanos", stallThresholdNanos, 0);
    RecordRing.checkedSize(recordsKept);
    Limits.require(
        fifoLimit >= (long) crossThreadLimit + reapLimit,
        "fifoLimit must hold what one turn takes in: crossThreadLimit + reapLimit");
  }

  /** The limits that a store uses unless told otherwise. */
  public static DispatcherConfig defaults() {
    return new DispatcherConfig(
        "dispatcher",
        1024,
        1024,
        4096,
        1024,
        1 << 20,
        1 << 16,
        1_000_000,
        1 << 16,
        WaitConfig.defaults());
  }

  /** The same limits under another name. */
  public DispatcherConfig withName(String other) {
    return new DispatcherConfig(
        Objects.requireNonNull(other, "other"),
        crossThreadLimit,
        reapLimit,
        upcallLimit,
        timerLimit,
        fifoLimit,
        finishLimit,
        stallThresholdNanos,
        recordsKept,
        waiting);
  }

  /** The same limits with a flight recorder of another size. */
  public DispatcherConfig withRecordsKept(int records) {
    return new DispatcherConfig(
        name,
        crossThreadLimit,
        reapLimit,
        upcallLimit,
        timerLimit,
        fifoLimit,
        finishLimit,
        stallThresholdNanos,
        records,
        waiting);
  }

  /** The same limits with another way of waiting. */
  public DispatcherConfig withWaiting(WaitConfig other) {
    return new DispatcherConfig(
        name,
        crossThreadLimit,
        reapLimit,
        upcallLimit,
        timerLimit,
        fifoLimit,
        finishLimit,
        stallThresholdNanos,
        recordsKept,
        other);
  }
}
