package dev.upcall.txn.state;

import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.segment.Overlay;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much unplaced content the clones of one change add. Clone and source share the frames, but
 * each gets a place of its own, and frames of its own after a crash: it counts as often as there
 * are files that have it.
 */
public final class UnplacedCopies {
  private UnplacedCopies() {}

  /** Blocks that are copied by a change's steps. */
  static long blocks(List<Op> ops, SegmentTable segments) {
    return committed(ops, segments) + ownBlocks(ops);
  }

  /** Why so much of a change's own content may not be copied, or null. */
  public static @Nullable Failure refuses(List<Op> ops, long maxBlocks) {
    long blocks = ownBlocks(ops);
    return blocks <= maxBlocks
        ? null
        : new Failure.TooLarge(
            "small content that a change brings and clones",
            blocks * Disk.BLOCK_BYTES,
            maxBlocks * Disk.BLOCK_BYTES);
  }

  /** Unplaced blocks that are copied, without those that the change itself brings. */
  public static long committed(List<Op> ops, SegmentTable segments) {
    long blocks = 0;
    for (Op op : ops) {
      if (op instanceof Op.OverlayCopy copy) {
        blocks += segments.overlay(copy.from()).blocks();
      }
    }
    return blocks;
  }

  /** Copies of what the change itself writes, and of copies. */
  private static long ownBlocks(List<Op> ops) {
    long blocks = 0;
    Map<Long, Long> written = new TreeMap<>();
    for (Op op : ops) {
      if (op instanceof Op.OverlayWrite write) {
        for (Overlay.Part part : write.parts()) {
          written.merge(write.segment(), (long) part.blocks(), Long::sum);
        }
      } else if (op instanceof Op.OverlayCopy copy) {
        blocks += written.getOrDefault(copy.from(), 0L);
      }
    }
    return blocks;
  }
}
