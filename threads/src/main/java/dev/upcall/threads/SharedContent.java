package dev.upcall.threads;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.Disk;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.PiecedContent;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Slices;
import dev.upcall.segment.Unplaced;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.PieceMap;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One version of a file's content, held: reads see it whatever is written or deleted meanwhile,
 * until {@link #close}. Any thread, also several at once, but none during or after the close.
 */
public final class SharedContent implements AutoCloseable {
  private static final ByteBuffer ZEROS = Disk.newBuffer(64 << 10).asReadOnlyBuffer();

  private final ThreadStore store;
  private final Inode inode;
  private final Overlay overlay;
  private final Runnable unpin;
  private final @Nullable PieceMap pieces;
  private final long blocks;
  private final String name;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Holds.
   *
   * @param name how failures name it
   * @param overlay pinned; unpinned with the close
   */
  SharedContent(ThreadStore store, String name, Inode inode, Overlay overlay, Runnable unpin) {
    this.name = name;
    this.store = store;
    this.inode = inode;
    this.overlay = overlay;
    this.unpin = unpin;
    this.pieces = inode.layout().pieces();
    long spaceBytes = PieceMap.spaceBytes(pieces, inode.size());
    this.blocks = (spaceBytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
  }

  /** The version's metadata. */
  public Inode inode() {
    return inode;
  }

  /**
   * Reads from {@code offset} as much as there is and fits, at least one byte but at or behind the
   * end; how many bytes it was. Failures: {@code Invalid} (a negative offset), {@code Corrupt},
   * {@code Device}, {@code Busy}; then what the buffer got before stays in it.
   */
  public Completion<Integer> read(long offset, ByteBuffer into) {
    Failure refusal = PinnedContent.refuses(offset, into.remaining());
    if (refusal != null) {
      return Completion.failed(refusal);
    }
    int start = into.position();
    long at = offset;
    while (into.hasRemaining() && at < inode.size()) {
      Failure failure = step(at, into);
      if (failure != null) {
        return Completion.failed(failure);
      }
      at = offset + into.position() - start;
    }
    return Completion.done(into.position() - start);
  }

  /**
   * As {@link #read} without a copy: at most {@code maxBytes} in frames that stay where they are
   * until the slice is released, which may be behind the close; fewer only where a frame, a hole, a
   * piece or the content ends; none at or behind the end.
   */
  public Completion<ContentSlice> slice(long offset, int maxBytes) {
    Failure refusal = PinnedContent.refuses(offset, maxBytes);
    if (refusal != null) {
      return Completion.failed(refusal);
    }
    int wanted = Math.clamp(inode.size() - offset, 0, maxBytes);
    if (wanted == 0) {
      return Completion.done(Slices.empty());
    }
    PieceMap map = pieces;
    if (map == null) {
      return together(offset, wanted);
    }
    return switch (store.find(map, offset)) {
      case Completion.Failed<PieceMap.Spot> failed -> failed.cast();
      case Completion.Done<PieceMap.Spot>(PieceMap.Spot spot) ->
          switch (together(spot.at(), (int) Math.min(wanted, spot.left()))) {
            case Completion.Failed<ContentSlice>(Failure why) ->
                Completion.failed(PiecedContent.inContent(why, spot, offset));
            case Completion.Done<ContentSlice> done -> done;
          };
    };
  }

  /** A slice of what lies together in the block space. */
  private Completion<ContentSlice> together(long offset, int wanted) {
    if (inode.layout() instanceof Layout.Inline inline && overlay.isEmpty()) {
      stampFound();
      ByteBuffer bytes = ByteBuffer.wrap(inline.bytes(), (int) offset, wanted);
      return Completion.done(Slices.unpinned(bytes.slice().asReadOnlyBuffer()));
    }
    long block = offset / Disk.BLOCK_BYTES;
    int skip = (int) (offset % Disk.BLOCK_BYTES);
    return switch (store.locate(overlay, inode.layout(), block, blocks)) {
      case Completion.Failed<ContentReader.Place> failed -> failed.cast();
      case Completion.Done<ContentReader.Place>(ContentReader.Place.Hole hole) -> {
        stampFound();
        long zeros = Math.min(wanted, hole.endBlock() * Disk.BLOCK_BYTES - offset);
        int count = (int) Math.min(zeros, ZEROS.capacity());
        yield Completion.done(Slices.unpinned(ZEROS.slice(0, count)));
      }
      case Completion.Done<ContentReader.Place>(ContentReader.Place.InMemory found) -> {
        stampFound();
        Overlay.Part part = unplaced(found.piece());
        ByteBuffer bytes = ContentReader.bytes(part, block);
        int count = Math.min(wanted, bytes.limit() - skip);
        yield Completion.done(Slices.of(bytes.slice(skip, count), part.lease().retain()));
      }
      case Completion.Done<ContentReader.Place>(ContentReader.Place.Placed placed) ->
          switch (frame(placed)) {
            case Completion.Failed<PoolFrame> failed -> failed.cast();
            case Completion.Done<PoolFrame>(PoolFrame frame) -> {
              int at = inFrame(placed) + skip;
              int count = (int) Math.min(wanted, bytes(placed) - skip);
              count = Math.min(count, chunkBlocks(placed) * Disk.BLOCK_BYTES - at);
              yield Completion.done(Slices.of(frame.buffer().slice(at, count), frame));
            }
          };
    };
  }

  /** Gives the version back; harmless when done before. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      overlay.unpin();
      unpin.run();
    }
  }

  /** Copies the next piece; why not, or null. */
  private @Nullable Failure step(long offset, ByteBuffer into) {
    PieceMap map = pieces;
    if (map == null) {
      return step(offset, inode.size() - offset, into);
    }
    return switch (store.find(map, offset)) {
      case Completion.Failed<PieceMap.Spot> failed -> failed.failure();
      case Completion.Done<PieceMap.Spot>(PieceMap.Spot spot) -> {
        Failure why = step(spot.at(), spot.left(), into);
        yield why == null ? null : PiecedContent.inContent(why, spot, offset);
      }
    };
  }

  /** Copies the next of so many bytes that lie together in the block space. */
  private @Nullable Failure step(long offset, long left, ByteBuffer into) {
    int wanted = (int) Math.min(into.remaining(), left);
    if (inode.layout() instanceof Layout.Inline inline && overlay.isEmpty()) {
      stampFound();
      into.put(inline.bytes(), (int) offset, wanted);
      return null;
    }
    Completion<ContentReader.Place> located =
        store.locate(overlay, inode.layout(), offset / Disk.BLOCK_BYTES, blocks);
    if (located instanceof Completion.Failed<ContentReader.Place> failed) {
      return failed.failure();
    }
    int skip = (int) (offset % Disk.BLOCK_BYTES);
    ContentReader.Place place = ((Completion.Done<ContentReader.Place>) located).value();
    switch (place) {
      case ContentReader.Place.Hole hole -> {
        stampFound();
        zeros(into, (int) Math.min(wanted, hole.endBlock() * Disk.BLOCK_BYTES - offset));
        return null;
      }
      case ContentReader.Place.InMemory found -> {
        stampFound();
        ByteBuffer bytes = ContentReader.bytes(unplaced(found.piece()), offset / Disk.BLOCK_BYTES);
        copy(bytes, skip, wanted, into);
        return null;
      }
      case ContentReader.Place.Placed placed -> {
        return placed(placed, skip, wanted, into);
      }
    }
  }

  private void stampFound() {
    store.stages().stamp(Stage.FOUND);
  }

  private static void zeros(ByteBuffer into, int count) {
    for (int i = 0; i < count; i++) {
      into.put((byte) 0);
    }
  }

  private static Overlay.Part unplaced(Unplaced.Piece piece) {
    if (piece instanceof Overlay.Part part) {
      return part;
    }
    throw new IllegalStateException("unplaced content of a snapshot: " + piece);
  }

  private @Nullable Failure placed(
      ContentReader.Place.Placed placed, int skip, int wanted, ByteBuffer into) {
    Completion<PoolFrame> got = frame(placed);
    if (got instanceof Completion.Failed<PoolFrame> failed) {
      return failed.failure();
    }
    PoolFrame frame = ((Completion.Done<PoolFrame>) got).value();
    try {
      int limit = chunkBlocks(placed) * Disk.BLOCK_BYTES;
      int count = (int) Math.min(wanted, bytes(placed) - skip);
      copy(frame.buffer().limit(limit).slice(), inFrame(placed) + skip, count, into);
      return null;
    } finally {
      frame.release();
    }
  }

  /** The frame with placed blocks, pinned. */
  private Completion<PoolFrame> frame(ContentReader.Place.Placed placed) {
    ExtentEntry entry = placed.entry();
    long first = placed.block() - blocksBefore(placed);
    return switch (store.pool().get(entry.run(first, chunkBlocks(placed)))) {
      case Completion.Failed<PoolFrame>(Failure why) -> {
        Failure named = placed.named(why, name);
        store.damage().note(named, placed.offsetBytes());
        yield Completion.failed(named);
      }
      case Completion.Done<PoolFrame> done -> done;
    };
  }

  /**
   * How many blocks its frame has before a place: frames hold whole units, or chunks that are
   * counted from the start of their extent entry.
   */
  private static int blocksBefore(ContentReader.Place.Placed placed) {
    return switch (placed.entry()) {
      case ExtentEntry.Plain _ -> placed.skip() % ContentReader.CHUNK_BLOCKS;
      case ExtentEntry.Coded coded -> coded.skip() + placed.skip();
    };
  }

  private static int chunkBlocks(ContentReader.Place.Placed placed) {
    return switch (placed.entry()) {
      case ExtentEntry.Plain plain -> {
        int left = plain.checksums().length - placed.skip() + blocksBefore(placed);
        yield Math.min(ContentReader.CHUNK_BLOCKS, left);
      }
      case ExtentEntry.Coded coded -> coded.unit().blocks();
    };
  }

  /** Where in its frame a place begins, in bytes. */
  private static int inFrame(ContentReader.Place.Placed placed) {
    return blocksBefore(placed) * Disk.BLOCK_BYTES;
  }

  private static long bytes(ContentReader.Place.Placed placed) {
    return (placed.endBlock() - placed.block()) * Disk.BLOCK_BYTES;
  }

  private static void copy(ByteBuffer from, int at, int wanted, ByteBuffer into) {
    int count = Math.min(wanted, from.limit() - at);
    into.put(into.position(), from, at, count);
    into.position(into.position() + count);
  }
}
