package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private final boolean coded;

    /**
     * Content on the volume.
     *
     * @param coded whether some of it is coded
     * @param free gives its extents back, when nobody has taken it
     */
    public Placed(
        long sizeBytes, Layout layout, List<NamedBlocks> named, boolean coded, Runnable free) {
      super(sizeBytes, 0, free);
      this.layout = layout;
      this.named = named;
      this.coded = coded;
    }

    /** Whether some of it is coded. */
    public boolean isCoded() {
      return coded;
    }

    /** How much longer the content is than what is stored of it, because it is coded. */
    public long savedBytes() {
      long blocks = named.stream().mapToLong(run -> run.extent().blocks()).sum();
      return coded ? Math.max(0, sizeBytes() - blocks * Disk.BLOCK_BYTES) : 0;
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

  /** Content that is found again by its hashes, and may be what a file has already. */
  public static final class Hashed extends Staged {
    private final byte[] key;
    private final int maxEntries;
    private final List<byte[]> stale;
    private final Held held;

    /** The content itself, or as long as that is enough the file that has it. */
    private static final class Held {
      private @Nullable Staged own;
      private @Nullable Same same;

      void letGo() {
        Same file = same;
        if (own != null) {
          own.discard();
        } else if (file != null) {
          file.letGo();
        }
      }
    }

    /** A file that had the content when it came to its end. */
    public interface Same {
      /** The file; its version tells whether it still has it. */
      KnownContent file();

      /** How many bytes. */
      long sizeBytes();

      /** Makes the content its own, and lets the file go; not inside the call. */
      void copy(CompletionPort<Staged> port);

      /** Lets the file go; harmless when that was done. */
      void letGo();
    }

    /**
     * Content of its own.
     *
     * @param key by which it is found again
     * @param maxEntries how many contents are remembered at most
     * @param stale keys of what was met that is of use to nobody any more
     */
    public Hashed(byte[] key, int maxEntries, List<byte[]> stale, Staged own) {
      this(key, maxEntries, stale, own, null);
    }

    /** Content that a file has. */
    public Hashed(byte[] key, int maxEntries, List<byte[]> stale, Same same) {
      this(key, maxEntries, stale, null, same);
    }

    private Hashed(
        byte[] key, int maxEntries, List<byte[]> stale, @Nullable Staged own, @Nullable Same same) {
      this(key, maxEntries, stale, new Held(), own == null ? sizeOf(same) : own.sizeBytes());
      held.own = own;
      held.same = same;
    }

    private Hashed(byte[] key, int maxEntries, List<byte[]> stale, Held held, long sizeBytes) {
      super(sizeBytes, 0, held::letGo);
      this.key = key;
      this.maxEntries = maxEntries;
      this.stale = stale;
      this.held = held;
    }

    private static long sizeOf(@Nullable Same same) {
      return Invariants.present(same, "a file with the content").sizeBytes();
    }

    /** By which it is found again. */
    public byte[] key() {
      return key;
    }

    /** How many contents are remembered at most. */
    public int maxEntries() {
      return maxEntries;
    }

    /** Keys of what was met that is of use to nobody any more. */
    public List<byte[]> stale() {
      return stale;
    }

    /** The file that had it, or null where it is its own. */
    public @Nullable KnownContent same() {
      return held.own != null || held.same == null ? null : held.same.file();
    }

    /** The content itself, where there is no {@link #same}. */
    public Staged own() {
      return Invariants.present(held.own, "content of its own");
    }

    /** Makes the content its own; completes when it is. Not inside the call. */
    public void copy(CompletionPort<Unit> port) {
      Same file = Invariants.present(held.same, "a file with the content");
      file.copy(
          port.then(
              copied -> {
                held.own = copied;
                port.complete(Completion.done());
              }));
    }

    /** As {@link #take}, of all that it holds. */
    public void takeWhole() {
      take();
      if (held.own != null) {
        held.own.take();
      } else {
        held.letGo();
      }
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
