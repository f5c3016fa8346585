package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The SCNs that readers hold: what was freed after the oldest of them may not be reused. An SCN is
 * forgotten with its last holder, also behind one that somebody holds for long.
 */
public final class Pins {
  private static final class Pin {
    final long scn;
    final Runnable unpin;
    int holders;
    @Nullable Pin older;
    @Nullable Pin newer;

    Pin(long scn, Pins pins) {
      this.scn = scn;
      this.unpin = () -> pins.unpin(this);
    }
  }

  private @Nullable Pin oldest;
  private @Nullable Pin newest;
  private int scns;
  private int holders;
  private LongUnaryOperator elsewhere = LongUnaryOperator.identity();

  /** Lets somebody else hold SCNs too: gives the newest one, at most the given, that is free. */
  public void alsoHeldBy(LongUnaryOperator others) {
    elsewhere = others;
  }

  /**
   * Holds an SCN, which must not be older than the newest held. Run what is returned once to let it
   * go; all who hold one SCN get the same.
   */
  public Runnable pin(long scn) {
    Pin last = newest;
    if (last == null || last.scn != scn) {
      Invariants.check(last == null || last.scn < scn, "pin of an old SCN", scn);
      last = append(new Pin(scn, this));
    }
    last.holders++;
    holders++;
    return last.unpin;
  }

  private Pin append(Pin pin) {
    Pin before = newest;
    pin.older = before;
    if (before == null) {
      oldest = pin;
    } else {
      before.newer = pin;
    }
    newest = pin;
    scns++;
    return pin;
  }

  /** The newest SCN up to which freed extents are out of every reader's sight. */
  public long horizon(long otherwise) {
    Pin first = oldest;
    return elsewhere.applyAsLong(first == null ? otherwise : Math.min(otherwise, first.scn));
  }

  /** How many holders there are. */
  int holders() {
    return holders;
  }

  /** How many SCNs they hold. */
  int scns() {
    return scns;
  }

  private void unpin(Pin pin) {
    Invariants.check(pin.holders > 0, "pin given back twice", pin.scn);
    pin.holders--;
    holders--;
    if (pin.holders == 0) {
      unlink(pin);
    }
  }

  private void unlink(Pin pin) {
    Pin before = pin.older;
    Pin after = pin.newer;
    if (before == null) {
      oldest = after;
    } else {
      before.newer = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.older = before;
    }
    // Whoever keeps what gave it back must not keep its neighbours.
    pin.older = null;
    pin.newer = null;
    scns--;
  }
}
