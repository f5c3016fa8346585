package dev.upcall.threads;

import dev.upcall.buffer.BlockRun;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.StageStamps;
import dev.upcall.io.Disk;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Layout;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Unplaced;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One version of a file's content, held: reads see it whatever is written or deleted meanwhile,
 * until {@link #close}. Any thread, also several at once, but none during or after the close.
 */
public final class SharedContent implements AutoCloseable {
  private final ThreadStore store;
  private final Inode inode;
  private final Overlay overlay;
  private final Runnable unpin;
  private final @Nullable StageStamps stamps;
  private final long blocks;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Holds.
   *
   * @param overlay retained; released with the close
   * @param stamps of the one call that reads this, if somebody looks at it
   */
  SharedContent(
      ThreadStore store,
      Inode inode,
      Overlay overlay,
      Runnable unpin,
      @Nullable StageStamps stamps) {
    this.store = store;
    this.inode = inode;
    this.overlay = overlay;
    this.unpin = unpin;
    this.stamps = stamps;
    this.blocks = (inode.size() + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
  }

  /** The version's metadata. */
  public Inode inode() {
    return inode;
  }

  /**
   * Reads from {@code offset} as much as there is and fits, at least one byte but at or behind the
   * end; how many bytes it was. Failures: {@code Corrupt}, {@code Device}, {@code Busy}; then what
   * the buffer got before stays in it.
   */
  public Completion<Integer> read(long offset, ByteBuffer into) {
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

  /** Gives the version back; harmless when done before. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      overlay.release();
      unpin.run();
    }
  }

  /** Copies the next piece; why not, or null. */
  private @Nullable Failure step(long offset, ByteBuffer into) {
    int wanted = (int) Math.min(into.remaining(), inode.size() - offset);
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
        unplaced(found.piece(), offset, wanted, into);
        return null;
      }
      case ContentReader.Place.Placed placed -> {
        return placed(placed, skip, wanted, into);
      }
    }
  }

  private void stampFound() {
    if (stamps != null) {
      stamps.foundInMemory();
    }
  }

  private static void zeros(ByteBuffer into, int count) {
    for (int i = 0; i < count; i++) {
      into.put((byte) 0);
    }
  }

  private static void unplaced(Unplaced.Piece piece, long offset, int wanted, ByteBuffer into) {
    if (!(piece instanceof Overlay.Part part)) {
      throw new IllegalStateException("unplaced content of a snapshot: " + piece);
    }
    ByteBuffer bytes = ContentReader.bytes(part, offset / Disk.BLOCK_BYTES);
    copy(bytes, (int) (offset % Disk.BLOCK_BYTES), wanted, into);
  }

  /** Frames hold chunks that are counted from the start of their extent entry. */
  private @Nullable Failure placed(
      ContentReader.Place.Placed placed, int skip, int wanted, ByteBuffer into) {
    int[] checksums = placed.entry().checksums();
    int chunk = placed.skip() / ContentReader.CHUNK_BLOCKS * ContentReader.CHUNK_BLOCKS;
    int chunkBlocks = Math.min(ContentReader.CHUNK_BLOCKS, checksums.length - chunk);
    BlockRun run =
        new BlockRun(placed.entry().extent().block() + chunk, chunkBlocks, checksums, chunk);
    Completion<PoolFrame> got = store.pool().get(run, stamps);
    if (got instanceof Completion.Failed<PoolFrame> failed) {
      return failed.failure();
    }
    PoolFrame frame = ((Completion.Done<PoolFrame>) got).value();
    try {
      int inChunk = placed.skip() - chunk;
      long limit = (placed.endBlock() - placed.block()) * Disk.BLOCK_BYTES - skip;
      ByteBuffer bytes = frame.buffer().limit(chunkBlocks * Disk.BLOCK_BYTES).slice();
      copy(bytes, inChunk * Disk.BLOCK_BYTES + skip, (int) Math.min(wanted, limit), into);
      return null;
    } finally {
      frame.release();
    }
  }

  private static void copy(ByteBuffer from, int at, int wanted, ByteBuffer into) {
    int count = Math.min(wanted, from.limit() - at);
    into.put(into.position(), from, at, count);
    into.position(into.position() + count);
  }
}
