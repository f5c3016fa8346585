package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import java.util.ArrayDeque;
import java.util.function.LongUnaryOperator;

/** The SCNs that readers hold: what was freed after the oldest of them may not be reused. */
public final class Pins {
  private static final class Pin {
    final long scn;
    final Runnable unpin;
    int holders;

    Pin(long scn, Pins pins) {
      this.scn = scn;
      this.unpin = () -> pins.unpin(this);
    }
  }

  private final ArrayDeque<Pin> pins = new ArrayDeque<>();
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
    Pin last = pins.peekLast();
    if (last == null || last.scn != scn) {
      Invariants.check(last == null || last.scn < scn, "pin of an old SCN", scn);
      last = new Pin(scn, this);
      pins.addLast(last);
    }
    last.holders++;
    holders++;
    return last.unpin;
  }

  /** The newest SCN up to which freed extents are out of every reader's sight. */
  public long horizon(long otherwise) {
    Pin oldest = pins.peekFirst();
    return elsewhere.applyAsLong(oldest == null ? otherwise : Math.min(otherwise, oldest.scn));
  }

  /** How many holders there are. */
  int holders() {
    return holders;
  }

  private void unpin(Pin pin) {
    Invariants.check(pin.holders > 0, "pin given back twice", pin.scn);
    pin.holders--;
    holders--;
    while (!pins.isEmpty() && pins.peekFirst().holders == 0) {
      pins.removeFirst();
    }
  }
}
