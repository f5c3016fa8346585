package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import dev.upcall.content.StagedContent;
import dev.upcall.space.Extent;
import java.util.List;

/** The kinds of finished new content, as the engine that commits them sees them. */
public sealed interface Staged extends StagedContent {
  /** Marks it as taken by a committed change. */
  void take();

  /** So small that it becomes part of the inode. */
  final class Tiny extends Ownership implements Staged {
    private final byte[] bytes;

    /** Content that is never changed. */
    public Tiny(byte[] bytes) {
      super(() -> {});
      this.bytes = bytes;
    }

    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public long frameBlocks() {
      return 0;
    }

    /** The content. */
    public byte[] bytes() {
      return bytes;
    }
  }

  /** In one frame; rides in the log. */
  final class InFrame extends Ownership implements Staged {
    private final Lease lease;
    private final int sizeBytes;

    /** Content at the beginning of a frame, zeros behind it; takes the lease over. */
    public InFrame(Lease lease, int sizeBytes) {
      super(lease::release);
      this.lease = lease;
      this.sizeBytes = sizeBytes;
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    @Override
    public long frameBlocks() {
      return lease.blocks();
    }

    /** The frame; zeros behind the content. Whoever takes the content takes this lease. */
    public Lease lease() {
      return lease;
    }
  }

  /** Written to the volume; a commit must name its extents. */
  final class Placed extends Ownership implements Staged {
    private final long sizeBytes;
    private final Layout layout;
    private final List<NamedBlocks> named;

    /**
     * Content on the volume.
     *
     * @param free gives its extents back, when nobody has taken it
     */
    public Placed(long sizeBytes, Layout layout, List<NamedBlocks> named, Runnable free) {
      super(free);
      this.sizeBytes = sizeBytes;
      this.layout = layout;
      this.named = named;
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    @Override
    public long frameBlocks() {
      return 0;
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
  record NamedBlocks(Extent extent, int[] checksums) {}

  /** Frees what was not taken. */
  abstract sealed class Ownership implements StagedContent permits Tiny, InFrame, Placed {
    private final Runnable free;
    private boolean over;
    private boolean taken;

    Ownership(Runnable free) {
      this.free = free;
    }

    /** Whether a committed change owns it now. */
    public boolean isTaken() {
      return taken;
    }

    /** Marks it as taken by a committed change. */
    public void take() {
      Invariants.check(!over, "content taken twice or after it was discarded");
      over = true;
      taken = true;
    }

    @Override
    public void discard() {
      if (!over) {
        over = true;
        free.run();
      }
    }
  }
}
