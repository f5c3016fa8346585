package dev.upcall.fsm;

import java.util.List;
import java.util.Objects;

/**
 * Who asks: a small number that travels with the id of a request ({@link FlightRecorder#current}),
 * for schedulers that treat askers apart and for block traces. 0 is nobody in particular, the next
 * {@value #FIRST_SESSION} - 1 are work in the background, then come sessions and at last threads.
 * Sessions and threads are counted around: two of 32,000 may have the same number.
 */
public final class Asker {
  /** Nobody in particular. */
  public static final int NOBODY = 0;

  /** The largest number. */
  static final int MAX = 0xffff;

  private static final int FIRST_SESSION = 16;
  private static final int FIRST_THREAD = 1 << 15;

  /** Work that nobody asked for, by its number from 1. */
  private static final List<String> BACKGROUND =
      List.of(
          "mark", "checkpoint", "write-back", "reclaim", "trim", "delete trees", "expire", "scrub");

  private Asker() {}

  /** The number of work in the background; one number for all that is not known by its name. */
  static int ofBackground(String verb) {
    int known = BACKGROUND.indexOf(verb);
    return known < 0 ? FIRST_SESSION - 1 : 1 + known;
  }

  /** The number of a session, by a count of sessions. */
  public static int ofSession(long count) {
    return FIRST_SESSION + (int) Math.floorMod(count, (long) FIRST_THREAD - FIRST_SESSION);
  }

  /** The number of a thread that calls. */
  public static int ofThread(Thread thread) {
    Objects.requireNonNull(thread, "thread");
    return FIRST_THREAD + (int) (thread.threadId() & MAX >> 1);
  }

  /** What a number stands for, in words: {@code checkpoint}, {@code session 3}. */
  public static String name(int asker) {
    if (asker <= NOBODY || asker > MAX) {
      return asker == NOBODY ? "nobody" : Integer.toUnsignedString(asker);
    }
    if (asker < FIRST_SESSION) {
      return asker <= BACKGROUND.size() ? BACKGROUND.get(asker - 1) : "background";
    }
    return asker < FIRST_THREAD
        ? "session " + (asker - FIRST_SESSION)
        : "thread " + (asker - FIRST_THREAD);
  }
}
