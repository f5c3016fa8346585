package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import java.util.List;

/** The kinds of finished new content, as the engine that commits them sees them. */
public abstract sealed class Staged implements StagedContent {
  private final long sizeBytes;
  private final long frameBlocks;
  private final Runnable free;
  private boolean over;
  private boolean taken;

  private Staged(long sizeBytes, long frameBlocks, Runnable free) {
    this.sizeBytes = sizeBytes;
    this.frameBlocks = frameBlocks;
    this.free = free;
  }

  @Override
  public final long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public final long frameBlocks() {
    return frameBlocks;
  }

  /** Whether a committed change owns it now. */
  public final boolean isTaken() {
    return taken;
  }

  /** Marks it as taken by a committed change. */
  public final void take() {
    Invariants.check(!over, "content taken twice or after it was discarded");
    over = true;
    taken = true;
  }

  @Override
  public final void discard() {
    if (!over) {
      over = true;
      free.run();
    }
  }

  /** So small that it becomes part of the inode. */
  public static final class Tiny extends Staged {
    private final byte[] bytes;

    /** Content that is never changed. */
    public Tiny(byte[] bytes) {
      super(bytes.length, 0, () -> {});
      this.bytes = bytes;
    }

    /** The content. */
    public byte[] bytes() {
      return bytes;
    }
  }

  /** In one frame; rides in the log. */
  public static final class InFrame extends Staged {
    private final Lease lease;

    /** Content at the beginning of a frame, zeros behind it; takes the lease over. */
    public InFrame(Lease lease, int sizeBytes) {
      super(sizeBytes, lease.blocks(), lease::release);
      this.lease = lease;
    }

    /** The frame; zeros behind the content. Whoever takes the content takes this lease. */
    public Lease lease() {
      return lease;
    }
  }

  /** Written to the volume; a commit must name its extents. */
  public static final class Placed extends Staged {
    private final Layout layout;
    private final List<NamedBlocks> named;

    /**
     * Content on the volume.
     *
     * @param free gives its extents back, when nobody has taken it
     */
    public Placed(long sizeBytes, Layout layout, List<NamedBlocks> named, Runnable free) {
      super(sizeBytes, 0, free);
      this.layout = layout;
      this.named = named;
    }

    /** Where it lies. */
    public Layout layout() {
      return layout;
    }

    /** Every extent of content and of extent-tree pages that the commit must make the segment's. */
    public List<NamedBlocks> named() {
      return named;
    }
  }

  /**
   * Blocks that a commit names, with what they must hold.
   *
   * @param extent the blocks
   * @param checksums CRC32C per block
   */
  public record NamedBlocks(Extent extent, int[] checksums) {
    /**
     * Up to here the log names placed blocks with their checksums; above they are synced before.
     */
    public static final long MOST_NAMED = (8 << 20) / Disk.BLOCK_BYTES;

    /** In the place of checksums: durable already. */
    public static final int[] SYNCED = {};
  }
}
