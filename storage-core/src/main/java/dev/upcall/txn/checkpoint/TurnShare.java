package dev.upcall.txn.checkpoint;

import dev.upcall.pressure.Scarce;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.txn.state.StoreContext;

/**
 * How much of a step of write-back one turn does: several times as much as was changed since the
 * last one. The steps of a group follow each other: if each only kept up with callers, all together
 * would not. And a bounded amount, since who waits for a commit waits too; but the more is left,
 * the more. What is left at a freeze is written twice, which takes time in which callers leave as
 * much again: without this, who once fell behind would stay behind.
 */
final class TurnShare {
  /** So many parts at least are looked for, or let go of, in one turn. */
  static final int LEAST_PARTS = 64;

  /** So many for each change: they take less than what is named. */
  private static final int PARTS_A_CHANGE = 8;

  private static final int MOST_PARTS = 128;

  /** So many for each change are given their checksums, and to the disk. */
  private static final int BLOCKS_A_CHANGE = 4;

  private static final int LEAST_BLOCKS = 64;
  private static final int MOST_BLOCKS = 128;
  private static final int MOST_TIMES = 4;

  private final StoreContext context;
  private final int aChange;
  private final int most;
  private long scn;

  /**
   * Of a step that begins now.
   *
   * @param aChange how much for each change
   * @param most how much in one turn, as long as little is left
   */
  TurnShare(StoreContext context, int aChange, int most) {
    this.context = context;
    this.aChange = aChange;
    this.most = most;
    this.scn = context.state().scn();
  }

  /** Of parts that are looked for, or let go of, from now on. */
  static TurnShare ofParts(StoreContext context) {
    return new TurnShare(context, PARTS_A_CHANGE, MOST_PARTS);
  }

  /** How blocks are written from now on. */
  static ContentPlacer.Pace pace(StoreContext context) {
    TurnShare share = new TurnShare(context, BLOCKS_A_CHANGE, MOST_BLOCKS);
    return new ContentPlacer.Pace(
        context.dispatcher(), context.pressure()::ioClass, () -> share.next(LEAST_BLOCKS));
  }

  /** How much now, at least {@code least}. */
  int next(int least) {
    long before = scn;
    scn = context.state().scn();
    int times = times(context);
    return Math.clamp((scn - before) * aChange * times, least, most * times);
  }

  /**
   * How many times the usual share of a turn, and of a group, there is: once for as much unplaced
   * content as the log holds when placing ahead begins, four times for four times as much.
   */
  static int times(StoreContext context) {
    long usual = Math.max(1, context.pressure().at(Scarce.LOG).halfWay());
    return Math.clamp(context.state().segments().unplacedBlocks() / usual, 1, MOST_TIMES);
  }
}
