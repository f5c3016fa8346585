package dev.upcall.access;

import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.Content;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.ExtentList;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handle has written and not committed, over the version it began with: whole blocks in
 * frames, blocks placed early, blocks that others have placed, and the size to which the old
 * content was cut. A read sees the newest of these; it serves block by block, for merging.
 */
final class PrivateContent implements PinnedContent {
  private final ContentReader reader;
  private final LeaseOwner owner;
  private final PinnedContent base;
  private Overlay overlay = Overlay.EMPTY;
  private List<ExtentEntry> placed = List.of();
  private final LentBlocks lent = new LentBlocks();
  private long cutBytes = Long.MAX_VALUE;

  /** Over a version by its block space, which is closed with this. */
  PrivateContent(ContentReader reader, LeaseOwner owner, PinnedContent base) {
    this.reader = reader;
    this.owner = owner;
    this.base = base;
  }

  @Override
  public Inode inode() {
    return base.inode();
  }

  /** Blocks in frames. */
  Overlay overlay() {
    return overlay;
  }

  /** How many blocks were written, with those that others have placed. */
  long writtenBlocks() {
    return overlay.blocks()
        + placed.stream().mapToLong(entry -> entry.extent().blocks()).sum()
        + lent().stream().mapToLong(entry -> entry.logicalEnd() - entry.logicalBlock()).sum();
  }

  /** Blocks placed early, not committed. */
  List<ExtentEntry> placed() {
    return placed;
  }

  /** Blocks that are placed, and others use; what was written since is not among them. */
  List<ExtentEntry> lent() {
    return lent.entries();
  }

  /** Blocks get the places that they have for others, too; nothing was here before. */
  void lend(ExtentEntry entry) {
    lent.add(entry);
  }

  /** What is at a block, for who copies it. May throw {@code PageMissing}. */
  RangeSource.Run run(long block) {
    Overlay.Part part = overlay.ceiling(block);
    if (part != null && part.block() <= block) {
      return new RangeSource.Run.Written(part.end());
    }
    long limit = part == null ? Long.MAX_VALUE : part.block();
    ExtentEntry own = ExtentList.ceiling(placed, block);
    if (own != null && own.logicalBlock() <= block) {
      return new RangeSource.Run.Written(Math.min(limit, own.logicalEnd()));
    }
    limit = own == null ? limit : Math.min(limit, own.logicalBlock());
    ExtentEntry others = lent.ceiling(block);
    if (others != null && others.logicalBlock() <= block) {
      long end = Math.min(limit, others.logicalEnd());
      return new RangeSource.Run.Placed(others.slice(block, end));
    }
    limit = others == null ? limit : Math.min(limit, others.logicalBlock());
    long visible = cutBytes == Long.MAX_VALUE ? Long.MAX_VALUE : blocks(cutBytes);
    return block >= visible
        ? new RangeSource.Run.Nothing(limit)
        : RangeSource.Run.of(base.place(block), block, Math.min(limit, visible));
  }

  /** The smallest size to which the content was cut, or {@code Long.MAX_VALUE}. */
  long cutBytes() {
    return cutBytes;
  }

  /** Takes a part over, with the caller's pin. */
  void write(Overlay.Part part) {
    replace(overlay.with(part));
    part.lease().release();
  }

  /** Blocks that were in frames are placed; what they replace is given back. */
  void place(List<ExtentEntry> entries, List<Extent> freed) {
    for (ExtentEntry entry : entries) {
      placed =
          ExtentList.with(
              ExtentList.withoutPlain(placed, entry.logicalBlock(), entry.logicalEnd(), freed),
              entry);
      lent.drop(entry.logicalBlock(), entry.logicalEnd());
      replace(overlay.without(entry.logicalBlock(), entry.logicalEnd()));
    }
  }

  /** Cuts everything behind a size off. */
  void cut(long sizeBytes, List<Extent> freed) {
    long block = blocks(sizeBytes);
    cutBytes = Math.min(cutBytes, sizeBytes);
    replace(overlay.without(block, Long.MAX_VALUE));
    placed = ExtentList.withoutPlain(placed, block, Long.MAX_VALUE, freed);
    lent.drop(block, Long.MAX_VALUE);
  }

  /** Blocks [from, to) are content no more. */
  void drop(long from, long to, List<Extent> freed) {
    replace(overlay.without(from, to));
    placed = ExtentList.withoutPlain(placed, from, to, freed);
    lent.drop(from, to);
  }

  /** Frames and placed blocks belong to the segment now. */
  void handOver() {
    overlay = Overlay.EMPTY;
    placed = List.of();
  }

  /** Blocks of so many bytes. */
  static long blocks(long sizeBytes) {
    return (sizeBytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
  }

  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    return null;
  }

  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    long block = offset / Disk.BLOCK_BYTES;
    long end = Math.min((block + 1) * Disk.BLOCK_BYTES, offset + maxBytes);
    Overlay.Part part = overlay.ceiling(block);
    ExtentEntry entry = ExtentList.ceiling(placed, block);
    ExtentEntry others = lent.ceiling(block);
    if (part != null && part.block() <= block) {
      read(overlay, Layout.EMPTY, offset, end, ioClass, port);
    } else if (entry != null && entry.logicalBlock() <= block) {
      read(Overlay.EMPTY, new Layout.Extents(placed), offset, end, ioClass, port);
    } else if (others != null && others.logicalBlock() <= block) {
      read(Overlay.EMPTY, new Layout.Extents(List.of(others)), offset, end, ioClass, port);
    } else {
      long visible = Math.min(end, cutBytes);
      base.read(offset, (int) Math.max(0, visible - offset), ioClass, port);
    }
  }

  private void read(
      Overlay over,
      Layout layout,
      long offset,
      long end,
      IoClass ioClass,
      CompletionPort<ContentSlice> port) {
    Content content = new Content(reader, inode().withContent(end, layout), over, owner, () -> {});
    content.read(
        offset,
        (int) (end - offset),
        ioClass,
        completion -> {
          content.close();
          port.complete(completion);
        });
  }

  @Override
  public void close() {
    replace(Overlay.EMPTY);
    base.close();
  }

  /** Extents that nobody has committed. */
  List<Extent> uncommitted() {
    List<Extent> extents = new ArrayList<>();
    for (ExtentEntry entry : placed) {
      extents.add(entry.extent());
    }
    return extents;
  }

  private void replace(Overlay after) {
    overlay = after.takeOver(overlay);
  }
}
