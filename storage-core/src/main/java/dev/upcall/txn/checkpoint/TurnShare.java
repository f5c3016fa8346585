package dev.upcall.txn.checkpoint;

import dev.upcall.txn.state.StoreState;

/**
 * How much of a step of write-back one turn does: several times as much as was changed since the
 * last one, so that it catches up with callers however fast they are. The steps of a group follow
 * each other: if each only kept up, all together would not, and what is left at a freeze is written
 * twice. And a bounded amount, since who waits for a commit waits too.
 */
final class TurnShare {
  /** So many parts at least are looked for, or let go of, in one turn. */
  static final int LEAST_PARTS = 64;

  /** So many for each change: they take less than what is named. */
  private static final int PARTS_A_CHANGE = 8;

  private static final int MOST_PARTS = 128;

  private final StoreState state;
  private final int aChange;
  private final int most;
  private long scn;

  /**
   * Of a step that begins now.
   *
   * @param aChange how much for each change
   * @param most how much in one turn
   */
  TurnShare(StoreState state, int aChange, int most) {
    this.state = state;
    this.aChange = aChange;
    this.most = most;
    this.scn = state.scn();
  }

  /** Of parts that are looked for, or let go of, from now on. */
  static TurnShare ofParts(StoreState state) {
    return new TurnShare(state, PARTS_A_CHANGE, MOST_PARTS);
  }

  /** How much now, at least {@code least}. */
  int next(int least) {
    long before = scn;
    scn = state.scn();
    return Math.clamp((scn - before) * aChange, least, most);
  }
}
