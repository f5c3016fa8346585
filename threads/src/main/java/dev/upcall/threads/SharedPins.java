package dev.upcall.threads;

import dev.upcall.base.Invariants;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The SCNs that threads hold, without a lock of its own: every reader comes by here, twice. To pin
 * takes the state's lock, shared, and to look at the horizon takes it alone, so nobody pins while
 * somebody looks; only letting go may happen at the same time, and then the horizon is at worst
 * older than it could be. Holders of one SCN are counted by a {@link LongAdder}, which threads that
 * come at once do not fight over.
 */
final class SharedPins {
  private static final AtomicReferenceFieldUpdater<SharedPins, Held> NEWEST =
      AtomicReferenceFieldUpdater.newUpdater(SharedPins.class, Held.class, "newest");

  /** Of those who look at the horizon. */
  private Held oldest = new Held(Long.MIN_VALUE);

  private volatile Held newest = oldest;

  /** One SCN and who holds it; running it lets go of it once. */
  private static final class Held implements Runnable {
    private final long scn;
    private final LongAdder holders = new LongAdder();

    /** Written with the state's lock shared, read with it alone. */
    private @Nullable Held newer;

    Held(long scn) {
      this.scn = scn;
    }

    @Override
    public void run() {
      holders.decrement();
    }
  }

  /**
   * Holds the present SCN; run what is returned once to let it go. The caller has the state's lock,
   * so that it stays the present one meanwhile.
   */
  Runnable pin(long scn) {
    Held held = newest;
    while (held.scn != scn) {
      Invariants.check(held.scn < scn, "pin of an old SCN", scn);
      Held made = new Held(scn);
      if (NEWEST.compareAndSet(this, held, made)) {
        held.newer = made;
        held = made;
      } else {
        held = newest;
      }
    }
    held.holders.increment();
    return held;
  }

  /**
   * The newest SCN, at most the given, up to which nobody reads. The caller has the state's lock
   * alone.
   */
  long horizon(long otherwise) {
    Held held = oldest;
    // Only decrements can happen meanwhile, so a sum that reads as nothing is nothing.
    for (Held next = held.newer; next != null && held.holders.sum() == 0; next = held.newer) {
      held = next;
    }
    oldest = held;
    return held.holders.sum() == 0 ? otherwise : Math.min(otherwise, held.scn);
  }
}
