package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.BufferManager;
import dev.upcall.io.IoClass;
import dev.upcall.segment.SpaceManager;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.log.CommitLog;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody waits, or will soon, for what write-back and checkpoint make room for: then they
 * go at full speed; else they leave the device to those who read. Looked at with each piece of
 * work, so it costs a few comparisons.
 */
public final class Urgency {
  /** The log, half of which calls for a checkpoint, makes changes wait at 28 of 32. */
  private static final int LOG_TIGHT_32NDS = 20;

  /** Half of the memory for tree pages calls for a checkpoint. */
  private static final int PAGES_TIGHT_32NDS = 24;

  private final StoreConfig config;
  private final StoreState state;
  private final BufferManager buffers;
  private final SpaceManager space;
  private @Nullable CommitLog log;
  private int logTightBlocks;
  private int waiting;

  public Urgency(StoreConfig config, StoreState state, BufferManager buffers, SpaceManager space) {
    this.config = config;
    this.state = state;
    this.buffers = buffers;
    this.space = space;
  }

  /** The log, once there is one. */
  public void watch(CommitLog present) {
    log = present;
    logTightBlocks = (int) ((long) present.counters().capacityBlocks() * LOG_TIGHT_32NDS / 32);
  }

  /** A change waits for room in the log, on the volume or for unplaced content. */
  public void waiterCame() {
    waiting++;
  }

  /** It waits no longer. */
  public void waiterWent() {
    waiting--;
    Invariants.check(waiting >= 0, "more have gone than came", waiting);
  }

  public boolean isUrgent() {
    return waiting > 0
        || space.isWanted()
        || buffers.isWaitedFor()
        || isTight(state.segments().unplacedBlocks(), config.placeAtBlocks(), config.parkAtBlocks())
        || state.dirtyPages() > pagesTight()
        || (log != null && log.usedBlocks() >= logTightBlocks);
  }

  /** The class of a piece of background work as things are now. */
  public IoClass ioClass() {
    return isUrgent() ? IoClass.FOREGROUND_WRITE : IoClass.BACKGROUND;
  }

  /** Halfway from where work begins to where changes wait. */
  private static boolean isTight(long used, long workAt, long waitAt) {
    return used > workAt + (waitAt - workAt) / 2;
  }

  private long pagesTight() {
    return state.pages().budgetBytes() / state.treeConfig().pageBytes() * PAGES_TIGHT_32NDS / 32;
  }
}
