package dev.upcall.segment;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One version of content that was edited in the middle, pinned: its map, over its block space. A
 * read ends where a piece ends, at the latest.
 */
public final class PiecedContent implements PinnedContent {
  /** So much of the next piece is asked for when a reader in sequence comes near the end of one. */
  private static final int AHEAD_BYTES = 1 << 18;

  private final Inode inode;
  private final PieceMap pieces;
  private final Content space;
  private final ContentReader reader;
  private long last;
  private long next;
  private boolean closed;

  private PiecedContent(Inode inode, PieceMap pieces, Content space, ContentReader reader) {
    this.inode = inode;
    this.pieces = pieces;
    this.space = space;
    this.reader = reader;
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
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    if (PinnedContent.refuses(offset, maxBytes) != null) {
      return null;
    }
    if (offset >= inode.size()) {
      return space.tryRead(0, 0);
    }
    PieceMap.Spot spot = tryFind(offset);
    if (spot == null) {
      return null;
    }
    ContentSlice slice = space.tryRead(spot.at(), (int) Math.min(spot.left(), maxBytes));
    if (slice != null) {
      lookAhead(offset, slice.sizeBytes(), spot);
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
    if (offset >= inode.size()) {
      space.read(0, 0, ioClass, port);
      return;
    }
    PieceMap.Spot spot;
    try {
      spot = reader.trees().maps().find(pieces, offset);
    } catch (PageMissing missing) {
      loadAndRead(missing.page(), new Wanted(offset, maxBytes, ioClass), port);
      return;
    }
    int bytes = (int) Math.min(spot.left(), maxBytes);
    space.read(spot.at(), bytes, ioClass, port);
    lookAhead(offset, bytes, spot);
  }

  @Override
  public boolean copy(long offset, ByteBuffer into) {
    for (int at = 0; at < into.capacity(); ) {
      PieceMap.Spot spot = pieces.find(offset + at);
      int length = (int) Math.min(spot.left(), into.capacity() - at);
      // The pages of its tree are the owner's.
      if (pieces.isInTree(spot.at()) || !space.copy(spot.at(), into.slice(at, length))) {
        return false;
      }
      at += length;
    }
    return true;
  }

  private record Wanted(long offset, int maxBytes, IoClass ioClass) {}

  /** Reads when a page of the map's tree has come. */
  private void loadAndRead(PageRef page, Wanted wanted, CompletionPort<ContentSlice> port) {
    reader
        .loader()
        .load(
            page,
            port.then(
                loaded -> {
                  if (closed) {
                    port.complete(Completion.failed(new Failure.Closed("content")));
                  } else {
                    read(wanted.offset(), wanted.maxBytes(), wanted.ioClass(), port);
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

  /** Within a piece its own content looks ahead; at its end the next one is somewhere else. */
  private void lookAhead(long offset, int bytes, PieceMap.Spot spot) {
    boolean inSequence = offset > last && offset <= next;
    last = offset;
    next = offset + bytes;
    long behind = offset + spot.left();
    if (!inSequence || spot.left() - bytes >= AHEAD_BYTES || behind == inode.size()) {
      return;
    }
    PieceMap.Spot following = tryFind(behind);
    if (following != null) {
      space.prefetch(following.at(), following.at() + Math.min(following.left(), AHEAD_BYTES));
    }
  }

  @Override
  public void close() {
    closed = true;
    space.close();
  }
}
