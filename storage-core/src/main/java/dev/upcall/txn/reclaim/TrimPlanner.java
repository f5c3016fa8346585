package dev.upcall.txn.reclaim;

import dev.upcall.space.Extent;
import dev.upcall.txn.TrimConfig;
import dev.upcall.txn.reclaim.TrimFacts.Free;
import dev.upcall.txn.reclaim.TrimFacts.Obstacle;
import dev.upcall.txn.reclaim.TrimFacts.Volume;
import org.jspecify.annotations.Nullable;

/**
 * Decides what of a volume's free space goes back to the device, and when. Pure: the same facts and
 * the same episode give the same plan.
 *
 * <p>A <em>pool</em> of free blocks that have room on the device stays: what is promised to the
 * checkpoint, and a part of what the store holds. Only when there has been as much again for a
 * while is it punched down to the pool, and to what was handed out in that while: blocks that
 * somebody will soon write again are better kept, since they are written already. The end is cut
 * when that brings much, for nothing but the file's length.
 */
final class TrimPlanner {
  /** The pool is at least this part of what the store holds. */
  private static final long POOL_PART = 16;

  /** A cut must bring at least this part of the volume. */
  private static final long CUT_PART = 8;

  private final TrimConfig config;

  TrimPlanner(TrimConfig config) {
    this.config = config;
  }

  /**
   * What is remembered from one plan to the next, from when there is something to give back until
   * nothing is left of it.
   *
   * @param sinceNanos when it was last begun to look what is needed and what is not
   * @param handedOutBefore what had been handed out by then
   * @param reused what was handed out of late, and is kept for who comes next
   * @param draining whether it is being punched down to the pool
   */
  record Episode(long sinceNanos, long handedOutBefore, long reused, boolean draining) {
    /** There is nothing to remember. */
    static final Episode NONE = new Episode(0, 0, 0, false);

    private static Episode begin(TrimFacts facts) {
      return new Episode(facts.nowNanos(), facts.use().handedOut(), 0, false);
    }

    private Episode keeping(long blocks) {
      return new Episode(sinceNanos, handedOutBefore, blocks, draining);
    }

    private Episode drain() {
      return new Episode(sinceNanos, handedOutBefore, reused, true);
    }
  }

  /**
   * What to do.
   *
   * @param step now
   * @param episode what to show {@link #next} the next time
   */
  record Plan(TrimStep step, Episode episode) {}

  private static final Plan NOTHING = new Plan(new TrimStep.Nothing(), Episode.NONE);

  /** Whether so many blocks, freed, are worth a look, or an effort at the close. */
  boolean isMuch(long blocks) {
    return blocks >= config.poolBlocks();
  }

  /** Whether there is something to give back: to wait for, as yet, or nothing. */
  Plan begin(TrimFacts facts) {
    return !facts.progress().readOnly() && isWorthIt(facts, 0)
        ? new Plan(new TrimStep.Wait(config.settleNanos()), Episode.begin(facts))
        : NOTHING;
  }

  /** The next step of an episode. */
  Plan next(TrimFacts facts, Episode before) {
    boolean closing = facts.progress().closing();
    if (facts.progress().readOnly()) {
      return NOTHING;
    }
    if (!closing && hasExcess(facts, before.reused()) && hasFreshRun(facts)) {
      return new Plan(new TrimStep.Checkpoint(), before);
    }
    Episode episode = closing ? before.keeping(0) : before;
    if (isKeptForAWhile(facts, episode)) {
      long leftNanos = episode.sinceNanos() + config.keepNanos() - facts.nowNanos();
      if (leftNanos > 0) {
        return new Plan(lookAgain(leftNanos), episode);
      }
      long reused = facts.use().handedOut() - episode.handedOutBefore();
      episode = episode.keeping(isMuch(reused) ? reused : 0);
    }
    Plan plan = cut(facts, episode);
    if (plan == null) {
      plan = punch(facts, episode);
    }
    return plan == null ? rest(facts, episode) : plan;
  }

  /** Nothing more can be given back now; what is kept for who comes next is looked at again. */
  private Plan rest(TrimFacts facts, Episode episode) {
    return episode.reused() > 0
        ? new Plan(lookAgain(config.keepNanos()), Episode.begin(facts))
        : NOTHING;
  }

  private TrimStep lookAgain(long leftNanos) {
    return new TrimStep.Wait(Math.min(leftNanos, Math.max(1, config.settleNanos())));
  }

  /** Whether there is something to give back, were it to stay free. */
  private boolean isWorthIt(TrimFacts facts, long reused) {
    return hasExcess(facts, reused) || isFileLonger(facts) || cutBlocks(facts, reused) > 0;
  }

  /** Whether there are two pools or more, what was just freed included. */
  private boolean hasExcess(TrimFacts facts, long reused) {
    return surplus(facts, reused) + facts.free().fresh() >= pool(facts);
  }

  private long pool(TrimFacts facts) {
    return Math.max(config.poolBlocks(), facts.use().committed() / POOL_PART);
  }

  /** How many allocatable or doubtful blocks there are beyond the pool. */
  private long surplus(TrimFacts facts, long reused) {
    return facts.free().unpunched() - (facts.use().kept() + pool(facts) + reused);
  }

  /**
   * Whether a checkpoint would make a run punchable: it must free more than it writes. Changes of
   * metadata alone free as much as they take, and would call for one checkpoint after the other.
   */
  private boolean hasFreshRun(TrimFacts facts) {
    return facts.free().fresh() - facts.use().promised() >= config.minPunchBlocks();
  }

  /**
   * Whether what there is too much may be wanted again soon. An episode that has begun to give
   * back, or that keeps what was reused, goes on.
   */
  private boolean isKeptForAWhile(TrimFacts facts, Episode episode) {
    return !facts.progress().closing()
        && !episode.draining()
        && episode.reused() == 0
        && !isFileLonger(facts)
        && isWorthIt(facts, 0);
  }

  /** Whether the file has blocks that the volume no longer has. */
  private static boolean isFileLonger(TrimFacts facts) {
    Volume volume = facts.volume();
    return volume.file() > volume.total() && !has(facts, Obstacle.CUT_REFUSED);
  }

  /** How many blocks to cut off the volume's end, or 0. */
  private long cutBlocks(TrimFacts facts, long reused) {
    if (has(facts, Obstacle.CUT_REFUSED) || reused > 0 || facts.use().waitedFor()) {
      return 0;
    }
    Volume volume = facts.volume();
    long free = volume.total() - volume.tailStart() - config.poolBlocks();
    long blocks = Math.min(free, facts.use().promisable());
    long least = Math.max(config.poolBlocks(), volume.total() / CUT_PART);
    return blocks >= least ? blocks : 0;
  }

  private @Nullable Plan cut(TrimFacts facts, Episode episode) {
    Volume volume = facts.volume();
    long blocks = cutBlocks(facts, episode.reused());
    boolean longer = isFileLonger(facts);
    // A file that is found longer after waiting is cut behind one more checkpoint, as a new cut is.
    if (longer && volume.durable() <= volume.total() && !facts.progress().settling()) {
      // While the volume grows nothing is cut; the next checkpoint leads here again.
      return has(facts, Obstacle.VOLUME_GROWING)
          ? null
          : new Plan(new TrimStep.Truncate(), episode);
    }
    return longer || blocks > 0
        ? new Plan(new TrimStep.Shrink(volume.total() - blocks), episode)
        : null;
  }

  private @Nullable Plan punch(TrimFacts facts, Episode episode) {
    long surplus = surplus(facts, episode.reused());
    boolean enough = episode.draining() || surplus >= pool(facts);
    if (!enough || facts.use().waitedFor() || has(facts, Obstacle.PUNCH_REFUSED)) {
      return null;
    }
    if (facts.progress().closingPunches() >= config.closingPunches()) {
      return null;
    }
    Extent run = runToPunch(facts, Math.min(surplus, config.maxPunchBlocks()));
    return run == null ? null : new Plan(new TrimStep.Punch(run), episode.drain());
  }

  /** Of the doubtful blocks the longest run, else the end of the longest allocatable one. */
  private @Nullable Extent runToPunch(TrimFacts facts, long most) {
    Free free = facts.free();
    Extent doubtful = free.longestDoubtful();
    if (doubtful != null && Math.min(most, doubtful.blocks()) >= config.minPunchBlocks()) {
      return new Extent(doubtful.block(), Math.min(most, doubtful.blocks()));
    }
    Extent backed = free.longestBacked();
    if (backed == null) {
      return null;
    }
    long blocks = Math.min(Math.min(most, backed.blocks()), free.backed() - facts.use().kept());
    return blocks >= config.minPunchBlocks() ? new Extent(backed.end() - blocks, blocks) : null;
  }

  private static boolean has(TrimFacts facts, Obstacle what) {
    return facts.progress().obstacles().contains(what);
  }
}
