package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import dev.upcall.buffer.ReadAhead;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.tree.PageMissing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of a segment's content, pinned: the inode it was pinned with and what was unplaced at
 * that moment.
 */
public final class Content implements PinnedContent {
  /** The most that one read gives. */
  static final int MAX_READ_BYTES = 1 << 20;

  private final ContentReader reader;
  private final Inode inode;
  private final Unplaced unplaced;
  private final LeaseOwner owner;
  private final Runnable unpin;
  private final long blocks;
  private final ReadAhead readAhead;
  private @Nullable String name;
  private boolean closed;

  /**
   * What is read.
   *
   * @param bytes how many, all within the content
   * @param ahead told of it, and how far it goes; null: who asks has its own
   */
  record Wanted(long offset, int bytes, IoClass ioClass, @Nullable ReadAhead ahead) {
    private void isRead(int much) {
      ReadAhead told = ahead;
      if (told != null) {
        told.reading(offset, much);
      }
    }
  }

  /**
   * Pins.
   *
   * @param unplaced what has no place; retained here and released with {@link #close}
   * @param unpin run once when this is closed
   */
  public Content(
      ContentReader reader, Inode inode, Unplaced unplaced, LeaseOwner owner, Runnable unpin) {
    this.reader = reader;
    this.inode = inode;
    this.owner = owner;
    this.unpin = unpin;
    this.blocks = (inode.size() + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    this.readAhead =
        new ReadAhead(
            reader.buffers(),
            inode.size(),
            (offset, until) -> prefetch(offset, until, IoClass.READ_AHEAD));
    this.unplaced = unplaced.retain(); // last: should there be no memory, nothing is retained
  }

  @Override
  public Inode inode() {
    return inode;
  }

  @Override
  public void name(String path) {
    name = path;
  }

  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    if (PinnedContent.refuses(offset, maxBytes) != null) {
      return null;
    }
    ContentSlice slice = take(offset, maxBytes);
    if (slice != null) {
      readAhead.reading(offset, slice.sizeBytes());
    }
    return slice;
  }

  /** As {@link #tryRead}, of a range that is none to be refused, without read-ahead. */
  @Nullable ContentSlice take(long offset, int maxBytes) {
    Invariants.check(!closed, "read of content that was closed");
    int wanted = wanted(offset, maxBytes);
    ContentSlice slice = withoutLooking(offset, wanted);
    if (slice != null) {
      return slice;
    }
    try {
      return inMemory(locate(offset), offset, wanted);
    } catch (PageMissing missing) {
      return null;
    }
  }

  @Override
  public boolean copy(long offset, ByteBuffer into) {
    return isCopied(inode, offset, into);
  }

  /** As {@link #copy}, of content whose blocks are those of this. */
  boolean isCopied(Inode of, long offset, ByteBuffer into) {
    return unplaced instanceof Overlay overlay && reader.copy().isCopied(of, overlay, offset, into);
  }

  private @Nullable ContentSlice withoutLooking(long offset, int wanted) {
    if (wanted == 0) {
      return Slices.empty();
    }
    return inode.layout() instanceof Layout.Inline inline && unplaced.isEmpty()
        ? inline(inline, offset, wanted)
        : null;
  }

  private ContentReader.Place locate(long offset) {
    return place(offset / Disk.BLOCK_BYTES);
  }

  @Override
  public ContentReader.Place place(long block) {
    return reader.locate(unplaced, inode.layout(), block, blocks);
  }

  /** A slice of what begins at a place, unless that must be read from disk first. */
  private @Nullable ContentSlice inMemory(ContentReader.Place place, long offset, int wanted) {
    return switch (place) {
      case ContentReader.Place.InMemory found -> unplaced(found.piece(), offset, wanted);
      case ContentReader.Place.Hole hole -> hole(hole, offset, wanted);
      case ContentReader.Place.Placed placed -> pinned(placed, offset, wanted);
    };
  }

  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    Failure refusal = PinnedContent.refuses(offset, maxBytes);
    if (refusal != null) {
      reader.dispatcher().complete(port, Completion.failed(refusal));
      return;
    }
    fetch(new Wanted(offset, wanted(offset, maxBytes), ioClass, readAhead), port);
  }

  /**
   * Reads what begins at an offset: what is in memory of it, or else as far as it lies together.
   */
  void fetch(Wanted wanted, CompletionPort<ContentSlice> port) {
    Invariants.check(!closed, "read of content that was closed");
    ContentSlice slice = withoutLooking(wanted.offset(), wanted.bytes());
    if (slice != null) {
      deliver(slice, port);
    } else {
      locateAndFetch(wanted, port);
    }
  }

  /** What was found completes a read. */
  void deliver(ContentSlice slice, CompletionPort<ContentSlice> port) {
    reader.dispatcher().recorder().stamp(Stage.FOUND);
    reader.dispatcher().complete(port, Completion.done(slice));
  }

  @Override
  public void close() {
    Invariants.check(!closed, "content closed twice", inode.id());
    closed = true;
    unplaced.release();
    unpin.run();
  }

  private int wanted(long offset, int maxBytes) {
    return (int) Math.max(0, Math.min(Math.min(maxBytes, MAX_READ_BYTES), inode.size() - offset));
  }

  /** From memory, or the slow way: wait for pages of the extent tree and for content blocks. */
  private void locateAndFetch(Wanted wanted, CompletionPort<ContentSlice> port) {
    long offset = wanted.offset();
    ContentReader.Place place;
    try {
      place = locate(offset);
    } catch (PageMissing missing) {
      reader
          .loader()
          .load(
              missing.page(),
              completion -> {
                if (completion instanceof Completion.Failed<?> failed) {
                  port.complete(failed.cast());
                } else if (closed) {
                  port.complete(Completion.failed(new Failure.Closed("content")));
                } else {
                  locateAndFetch(wanted, port);
                }
              });
      return;
    }
    ContentSlice slice = inMemory(place, offset, wanted.bytes());
    if (slice != null) {
      wanted.isRead(slice.sizeBytes());
      deliver(slice, port);
    } else if (place instanceof ContentReader.Place.Placed placed) {
      load(placed, wanted, port);
    } else {
      Invariants.check(false, "content that is neither in memory nor on the volume", offset);
    }
  }

  private void load(
      ContentReader.Place.Placed placed, Wanted wanted, CompletionPort<ContentSlice> port) {
    int skip = (int) (wanted.offset() % Disk.BLOCK_BYTES);
    int pieceBlocks =
        Math.min(Math.min(placed.blocks(), reader.readBlocks()), blocksFor(skip, wanted.bytes()));
    int bytes = Math.min(wanted.bytes(), pieceBlocks * Disk.BLOCK_BYTES - skip);
    wanted.isRead(bytes);
    reader
        .buffers()
        .read(
            placed.run(pieceBlocks),
            wanted.ioClass(),
            owner,
            completion ->
                port.complete(
                    switch (completion) {
                      case Completion.Failed<List<Lease>>(Failure why) ->
                          Completion.failed(noted(placed, why));
                      case Completion.Done<List<Lease>> done ->
                          Completion.done(slice(done.value(), skip, bytes));
                    }));
  }

  private Failure noted(ContentReader.Place.Placed placed, Failure why) {
    Failure named = placed.named(why, name());
    reader.loader().damage().note(named, placed.offsetBytes());
    return named;
  }

  /** How failures name this content. */
  String name() {
    String path = name;
    return path == null ? "segment " + inode.id() : path;
  }

  private static ContentSlice slice(List<Lease> leases, int skip, int bytes) {
    List<ByteBuffer> buffers = new ArrayList<>(leases.size());
    int position = skip;
    int left = bytes;
    for (Lease lease : leases) {
      ByteBuffer buffer = lease.buffer();
      int length = Math.min(left, buffer.remaining() - position);
      buffers.add(buffer.slice(buffer.position() + position, length));
      left -= length;
      position = 0;
    }
    Invariants.check(left == 0, "leases do not cover the read; bytes missing", left);
    return Slices.of(buffers, bytes, leases);
  }

  private static int blocksFor(int skip, int bytes) {
    return (skip + bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
  }

  private static ContentSlice inline(Layout.Inline inline, long offset, int wanted) {
    return Slices.unpinned(
        ByteBuffer.wrap(inline.bytes(), (int) offset, wanted).slice().asReadOnlyBuffer());
  }

  private static ContentSlice unplaced(Unplaced.Piece piece, long offset, int wanted) {
    long block = offset / Disk.BLOCK_BYTES;
    int skip = (int) (offset % Disk.BLOCK_BYTES);
    return switch (piece) {
      case Overlay.Part part -> {
        ByteBuffer bytes = slice(ContentReader.bytes(part, block), skip, wanted);
        part.lease().retain();
        yield Slices.of(bytes, part.lease());
      }
      case CopiedBlocks.Copy copy -> {
        int from = Math.toIntExact(block - copy.block()) * Disk.BLOCK_BYTES + skip;
        yield Slices.unpinned(slice(copy.bytes(), from, wanted));
      }
      case Layered.Cut cut -> {
        long left = cut.end() * Disk.BLOCK_BYTES - offset;
        yield unplaced(cut.piece(), offset, (int) Math.min(wanted, left));
      }
      case ImagedBlocks.Run run -> throw new IllegalStateException("in memory: " + run);
    };
  }

  private static ByteBuffer slice(ByteBuffer bytes, int from, int wanted) {
    return bytes.slice(from, Math.min(wanted, bytes.capacity() - from));
  }

  private ContentSlice hole(ContentReader.Place.Hole hole, long offset, int wanted) {
    long length = Math.min(wanted, hole.endBlock() * Disk.BLOCK_BYTES - offset);
    ByteBuffer zeros = reader.zeros();
    return Slices.unpinned(zeros.slice(0, (int) Math.min(length, zeros.capacity())));
  }

  /** As much as is in memory without a gap, also across extent entries. */
  private @Nullable ContentSlice pinned(
      ContentReader.Place.Placed placed, long offset, int wanted) {
    int skip = (int) (offset % Disk.BLOCK_BYTES);
    int wantedBlocks = blocksFor(skip, wanted);
    Lease lease = pin(placed, wantedBlocks);
    if (lease == null) {
      return null;
    }
    if (lease.blocks() == wantedBlocks) {
      return Slices.of(lease.buffer(skip, wanted), lease);
    }
    List<Lease> leases = new ArrayList<>();
    int blocksPinned = 0;
    ContentReader.Place.@Nullable Placed place = placed;
    while (place != null && lease != null) {
      leases.add(lease);
      blocksPinned += lease.blocks();
      place = blocksPinned == wantedBlocks ? null : following(place, lease.blocks());
      lease = place == null ? null : pin(place, wantedBlocks - blocksPinned);
    }
    int bytes = Math.min(wanted, blocksPinned * Disk.BLOCK_BYTES - skip);
    return slice(leases, skip, bytes);
  }

  /** The first blocks of a place, as far as they are in one frame; null if they are not there. */
  private @Nullable Lease pin(ContentReader.Place.Placed place, int wantedBlocks) {
    int blocks = Math.min(place.blocks(), wantedBlocks);
    return reader.buffers().pin(place.address(), blocks, owner);
  }

  /** What lies so many blocks behind the beginning of a place, if it is known and on the volume. */
  private ContentReader.Place.@Nullable Placed following(
      ContentReader.Place.Placed place, int blocksBehind) {
    long block = place.block() + blocksBehind;
    if (block < place.endBlock()) {
      return new ContentReader.Place.Placed(place.entry(), block, place.endBlock());
    }
    try {
      return locate(block * Disk.BLOCK_BYTES) instanceof ContentReader.Place.Placed found
          ? found
          : null;
    } catch (PageMissing missing) {
      return null;
    }
  }

  /** As {@link ReadAhead.Source#prefetch}, for somebody or ahead. */
  long prefetch(long offset, long until, IoClass ioClass) {
    long block = offset / Disk.BLOCK_BYTES;
    ContentReader.Place place;
    try {
      place = locate(offset);
    } catch (PageMissing missing) {
      reader.loader().load(missing.page(), completion -> {});
      return 0;
    }
    long end =
        switch (place) {
          case ContentReader.Place.InMemory inMemory -> inMemory.endBlock();
          case ContentReader.Place.Hole hole -> hole.endBlock();
          case ContentReader.Place.Placed placed -> {
            long untilBlock = (until + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
            int piece = (int) Math.min(placed.blocks(), untilBlock - block);
            yield block + reader.buffers().prefetch(placed.run(piece), ioClass);
          }
        };
    return Math.max(0, end * Disk.BLOCK_BYTES - offset);
  }
}
