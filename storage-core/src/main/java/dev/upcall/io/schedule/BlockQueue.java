package dev.upcall.io.schedule;

import dev.upcall.base.Invariants;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Dispatches that wait, by their blocks and by their age. */
public final class BlockQueue {
  private static final int BACK_PENALTY = 2;

  /**
   * One that waits.
   *
   * @param number the older, the lower
   * @param sinceNanos when it came
   */
  public record Waiting(Dispatch dispatch, long number, long sinceNanos) {}

  private final TreeMap<BlockKey, Waiting> byBlock = new TreeMap<>();
  private final LinkedHashMap<Long, Waiting> byAge = new LinkedHashMap<>();
  private long arrivals;

  public boolean isEmpty() {
    return byAge.isEmpty();
  }

  public int size() {
    return byAge.size();
  }

  public void add(Dispatch dispatch, long nowNanos) {
    Waiting one = new Waiting(dispatch, arrivals++, nowNanos);
    byBlock.put(new BlockKey(dispatch.block(), one.number), one);
    byAge.put(one.number, one);
  }

  /** Its first block is no longer the one that it was added with. */
  public void beginsEarlier(Dispatch dispatch, long formerBlock) {
    for (Waiting one :
        byBlock.subMap(BlockKey.before(formerBlock), BlockKey.before(formerBlock + 1)).values()) {
      if (one.dispatch == dispatch) {
        byBlock.remove(new BlockKey(formerBlock, one.number));
        byBlock.put(new BlockKey(dispatch.block(), one.number), one);
        return;
      }
    }
    throw new Invariants.Violation("no such dispatch waits at block " + formerBlock);
  }

  public Dispatch take(Waiting one) {
    byBlock.remove(new BlockKey(one.dispatch.block(), one.number));
    byAge.remove(one.number);
    return one.dispatch;
  }

  public @Nullable Waiting oldest() {
    Map.Entry<Long, Waiting> first = byAge.firstEntry();
    return first == null ? null : first.getValue();
  }

  /** The oldest if it came before a moment. */
  public @Nullable Waiting oldestBefore(long nanos) {
    Waiting oldest = oldest();
    return oldest != null && oldest.sinceNanos - nanos < 0 ? oldest : null;
  }

  /** The first one at a block or behind it. */
  public @Nullable Waiting from(long block) {
    Map.Entry<BlockKey, Waiting> next = byBlock.ceilingEntry(BlockKey.before(block));
    return next == null ? null : next.getValue();
  }

  /** The one at the lowest block. */
  public @Nullable Waiting lowest() {
    return from(0);
  }

  /**
   * A one-way elevator that steps back a little: the nearest one behind a block, or before it and
   * half as near, unless that is too far back; else the lowest.
   */
  public @Nullable Waiting nearest(long block, long backBlocks) {
    Waiting ahead = from(block);
    Map.Entry<BlockKey, Waiting> before = byBlock.lowerEntry(BlockKey.before(block));
    Waiting back = before == null ? null : before.getValue();
    if (back == null || back.dispatch.block() + backBlocks < block) {
      return ahead == null ? lowest() : ahead;
    }
    long costBack = BACK_PENALTY * (block - back.dispatch.block());
    return ahead == null || costBack < ahead.dispatch.block() - block ? back : ahead;
  }
}
