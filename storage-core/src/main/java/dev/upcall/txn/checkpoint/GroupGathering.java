package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.segment.Overlay;
import dev.upcall.txn.checkpoint.PlacingGroup.Item;
import dev.upcall.txn.state.StoreContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gathers the next blocks that fit one write: a few small segments, or a part of a large one. A
 * bounded number of parts in each turn of the dispatcher; what has been gathered and is overwritten
 * before the last turn is written for nothing, as if that had come during the write. One object for
 * one group.
 */
final class GroupGathering {
  /** So many blocks as a rule. Each group waits once for the device and once for the log. */
  private static final int GROUP_BLOCKS = 1024;

  private final StoreContext context;
  private final RoundSegments segments;
  private final TurnShare share;
  private final int mostBlocks;
  private final Consumer<Gathered> then;
  private final List<Item> items = new ArrayList<>();
  private final List<ByteBuffer> buffers = new ArrayList<>();
  private int blocks;

  /** Where the first segment goes on: its content blocks before are in the group. */
  private long from;

  /** Blocks of that segment in the group: all of them are edited in one upcall. */
  private int segmentBlocks;

  /**
   * What was gathered.
   *
   * @param items in order; the lease of each is retained
   * @param buffers the memory of each
   * @param blocks how many blocks they have together
   */
  record Gathered(List<Item> items, List<ByteBuffer> buffers, int blocks) {
    /** Gives the leases back. */
    void release() {
      items.forEach(item -> item.part().lease().release());
    }
  }

  private GroupGathering(
      StoreContext context, RoundSegments segments, int mostBlocks, Consumer<Gathered> then) {
    this.context = context;
    this.segments = segments;
    this.share = TurnShare.ofParts(context);
    this.mostBlocks = Math.min(mostBlocks, GROUP_BLOCKS * TurnShare.times(context));
    this.then = then;
  }

  /**
   * Gathers, the first parts at once. Must itself run as an upcall.
   *
   * @param segments whence; those of which nothing is left are gone from it at the end
   * @param mostBlocks how many there may be, unless the first part has more
   * @param then hears the end; nothing is gathered when nothing is left
   */
  static void run(
      StoreContext context, RoundSegments segments, int mostBlocks, Consumer<Gathered> then) {
    new GroupGathering(context, segments, mostBlocks, then).step();
  }

  private void step() {
    int most = share.next(TurnShare.LEAST_PARTS);
    for (int looks = 0; looks < most; looks++) {
      if (!takeNext()) {
        then.accept(new Gathered(items, buffers, blocks));
        return;
      }
    }
    // A timer, not a post: the next turn looks for completions first.
    context.dispatcher().schedule(0, this::step);
  }

  /** Takes the next part, or passes a segment over; false when the group is whole. */
  private boolean takeNext() {
    long segment = blocks < mostBlocks ? segments.next() : RoundSegments.NONE;
    if (segment == RoundSegments.NONE) {
      return false;
    }
    Overlay overlay = context.state().segments().overlay(segment);
    Overlay.Part part = overlay.ceiling(from);
    if (part != null) {
      if (!items.isEmpty() && isTooMuch(part.blocks())) {
        return false;
      }
      take(segment, part);
    }
    if (part == null || overlay.ceiling(from) == null) {
      segments.remove();
      from = 0;
      segmentBlocks = 0;
    }
    return true;
  }

  private boolean isTooMuch(int more) {
    return blocks + more > mostBlocks || segmentBlocks + more > GROUP_BLOCKS;
  }

  private void take(long segment, Overlay.Part part) {
    Invariants.check(part.end() > from, "part that was gathered before", part.end(), from);
    // At once: an overwrite before the next turn must not let the frame go under the device.
    part.lease().retain();
    items.add(new Item(segment, part, blocks));
    ByteBuffer buffer = part.lease().buffer();
    buffers.add(
        buffer.slice(
            buffer.position() + part.leaseBlock() * Disk.BLOCK_BYTES,
            part.blocks() * Disk.BLOCK_BYTES));
    blocks += part.blocks();
    segmentBlocks += part.blocks();
    from = part.end();
  }
}
