package dev.upcall.segment;

import dev.upcall.buffer.ReadAhead;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of content that was edited in the middle, pinned: its map, over its block space.
 * Reads and read-ahead go over its pieces as they come; what a read wants of several is asked of
 * the device at once.
 */
public final class PiecedContent implements PinnedContent {
  /** A slice has parts of so many pieces at most: an upcall looks for no more. */
  private static final int MOST_PARTS = 32;

  private final Inode inode;
  private final PieceMap pieces;
  private final Content space;
  private final ContentReader reader;
  private final ReadAhead readAhead;
  private boolean closed;

  private PiecedContent(Inode inode, PieceMap pieces, Content space, ContentReader reader) {
    this.inode = inode;
    this.pieces = pieces;
    this.space = space;
    this.reader = reader;
    this.readAhead =
        new ReadAhead(
            reader.buffers(),
            inode.size(),
            (offset, until) -> prefetch(offset, until, IoClass.READ_AHEAD));
  }

  /** As {@link Content}, of any content. */
  public static PinnedContent pin(
      ContentReader reader, Inode inode, Unplaced unplaced, LeaseOwner owner, Runnable unpin) {
    PieceMap pieces = inode.layout().pieces();
    if (pieces == null) {
      return new Content(reader, inode, unplaced, owner, unpin);
    }
    Inode blocks = inode.withContent(pieces.spaceBytes(), inode.layout().space());
    return new PiecedContent(
        inode, pieces, new Content(reader, blocks, unplaced, owner, unpin), reader);
  }

  @Override
  public Inode inode() {
    return inode;
  }

  @Override
  public PinnedContent space() {
    return space;
  }

  @Override
  public ContentReader.Place place(long block) {
    return space.place(block);
  }

  @Override
  public void name(String path) {
    space.name(path);
  }

  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    if (PinnedContent.refuses(offset, maxBytes) != null) {
      return null;
    }
    ContentSlice slice = take(offset, wanted(offset, maxBytes));
    if (slice != null) {
      readAhead.reading(offset, slice.sizeBytes());
    }
    return slice;
  }

  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    Failure refusal = PinnedContent.refuses(offset, maxBytes);
    if (refusal != null) {
      reader.dispatcher().complete(port, Completion.failed(refusal));
      return;
    }
    int wanted = wanted(offset, maxBytes);
    int together = Math.min(wanted, reader.readBlocks() * Disk.BLOCK_BYTES);
    ContentSlice slice = take(offset, wanted);
    if (slice != null && (slice.sizeBytes() >= together || slice.buffers().size() >= MOST_PARTS)) {
      readAhead.reading(offset, slice.sizeBytes());
      space.deliver(slice, port);
      return;
    }
    if (slice != null) {
      // Whoever waits for memory holds none.
      slice.release();
    }
    fetch(new Content.Wanted(offset, together, ioClass, null), port);
  }

  @Override
  public boolean copy(long offset, ByteBuffer into) {
    return space.isCopied(inode, offset, into);
  }

  private int wanted(long offset, int maxBytes) {
    return (int)
        Math.max(0, Math.min(Math.min(maxBytes, Content.MAX_READ_BYTES), inode.size() - offset));
  }

  /** What is in memory of a range, from its beginning on; null if that is not. */
  private @Nullable ContentSlice take(long offset, int wanted) {
    if (wanted == 0) {
      return space.take(0, 0);
    }
    List<ContentSlice> parts = new ArrayList<>();
    for (int bytes = 0; bytes < wanted && parts.size() < MOST_PARTS; ) {
      PieceMap.Spot spot = tryFind(offset + bytes);
      ContentSlice part =
          spot == null ? null : space.take(spot.at(), (int) Math.min(spot.left(), wanted - bytes));
      if (part == null) {
        break;
      }
      parts.add(part);
      bytes += part.sizeBytes();
    }
    return parts.isEmpty() ? null : Slices.joined(parts);
  }

  /** Reads what is not all in memory: of one piece, or of several that are loaded at once. */
  private void fetch(Content.Wanted wanted, CompletionPort<ContentSlice> port) {
    PieceMap.Spot spot;
    try {
      spot = reader.trees().maps().find(pieces, wanted.offset());
      // Without its page, too, nothing of what follows could be asked for.
      space.place(spot.at() / Disk.BLOCK_BYTES);
    } catch (PageMissing missing) {
      loadAndRead(missing.page(), wanted, port);
      return;
    }
    if (spot.left() >= wanted.bytes()) {
      readAhead.reading(wanted.offset(), wanted.bytes());
      fetch(spot, wanted, port);
    } else {
      fetchSeveral(spot, wanted, port);
    }
  }

  /**
   * A failure that names a place in the block space, with the place in the content.
   *
   * @param spot a byte of the content
   * @param offset where in the content it is
   */
  public static Failure inContent(Failure why, PieceMap.Spot spot, long offset) {
    if (why instanceof Failure.Corrupt corrupt && corrupt.inFile() != null) {
      Failure.Corrupt.InFile inSpace = corrupt.inFile();
      return corrupt.in(inSpace.file(), offset + Math.max(0, inSpace.offsetBytes() - spot.at()));
    }
    return why;
  }

  /** Reads what one piece has of a range. */
  private void fetch(PieceMap.Spot spot, Content.Wanted wanted, CompletionPort<ContentSlice> port) {
    int bytes = (int) Math.min(spot.left(), wanted.bytes());
    space.fetch(
        new Content.Wanted(spot.at(), bytes, wanted.ioClass(), null),
        completion ->
            port.complete(
                switch (completion) {
                  case Completion.Failed<ContentSlice>(Failure why) ->
                      Completion.failed(inContent(why, spot, wanted.offset()));
                  case Completion.Done<ContentSlice> done -> done;
                }));
  }

  /**
   * Begins to load all of a range, waits for its end, and gives what has come by then. Meanwhile it
   * holds nothing, so that readers who wait for memory never wait for each other.
   */
  private void fetchSeveral(
      PieceMap.Spot first, Content.Wanted wanted, CompletionPort<ContentSlice> port) {
    long until = wanted.offset() + wanted.bytes();
    long last = wanted.offset();
    long end = last;
    for (int parts = 0; end < until && parts < MOST_PARTS; parts++) {
      long begun = prefetch(end, until, wanted.ioClass());
      if (begun == 0) {
        break;
      }
      last = end;
      end = Math.min(end + begun, until);
    }
    PieceMap.Spot lastSpot = last > wanted.offset() ? tryFind(last) : null;
    if (lastSpot == null) {
      readAhead.reading(wanted.offset(), (int) first.left());
      fetch(first, wanted, port);
      return;
    }
    int bytes = (int) (end - wanted.offset());
    readAhead.reading(wanted.offset(), bytes);
    space.fetch(
        new Content.Wanted(lastSpot.at(), (int) (end - last), wanted.ioClass(), null),
        arrived -> {
          // Whoever comes to it hears of a failure.
          if (arrived instanceof Completion.Done<ContentSlice>(ContentSlice slice)) {
            slice.release();
          }
          if (closed) {
            port.complete(Completion.failed(new Failure.Closed("content")));
            return;
          }
          ContentSlice all = take(wanted.offset(), bytes);
          if (all != null) {
            port.complete(Completion.done(all));
          } else {
            fetch(first, wanted, port);
          }
        });
  }

  /** As {@link ReadAhead.Source#prefetch}, for somebody or ahead: what one piece has. */
  private long prefetch(long offset, long until, IoClass ioClass) {
    PieceMap.Spot spot;
    try {
      spot = reader.trees().maps().find(pieces, offset);
    } catch (PageMissing missing) {
      reader.loader().load(missing.page(), completion -> {});
      return 0;
    }
    long end = spot.at() + Math.min(spot.left(), until - offset);
    return Math.min(spot.left(), space.prefetch(spot.at(), end, ioClass));
  }

  /** Reads when a page of a tree has come. */
  private void loadAndRead(PageRef page, Content.Wanted wanted, CompletionPort<ContentSlice> port) {
    reader
        .loader()
        .load(
            page,
            port.then(
                loaded -> {
                  if (closed) {
                    port.complete(Completion.failed(new Failure.Closed("content")));
                  } else {
                    read(wanted.offset(), wanted.bytes(), wanted.ioClass(), port);
                  }
                }));
  }

  private PieceMap.@Nullable Spot tryFind(long offset) {
    try {
      return reader.trees().maps().find(pieces, offset);
    } catch (PageMissing missing) {
      return null;
    }
  }

  @Override
  public void close() {
    closed = true;
    space.close();
  }
}
