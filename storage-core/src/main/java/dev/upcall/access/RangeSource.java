package dev.upcall.access;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.PieceMap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Content of which a range is copied: that of another segment, or what a segment has become by the
 * edits before. It stays as it is until the copy is made. Dispatcher's thread only.
 */
interface RangeSource {
  /** How its blocks make it up. */
  @Nullable PieceMap pieces();

  /** Whether all of it lives in its inode, and no block has a place. */
  boolean isInline();

  /** What is at a block of its block space. May throw {@code PageMissing}. */
  Run run(long block);

  /** Fills a buffer with its content from an offset on, which is all there. */
  void read(long offset, ByteBuffer into, CompletionPort<Unit> port);

  /** Puts at most so many bytes of its block space into a buffer, and one at least. */
  void readSpace(long at, int mostBytes, ByteBuffer into, CompletionPort<Unit> port);

  /** Blocks that are alike, from the one on that was asked for. */
  sealed interface Run {
    /** The first block behind it. */
    long endBlock();

    /** They have places, which others may use, too; the entry begins with the block. */
    record Placed(ExtentEntry entry) implements Run {
      @Override
      public long endBlock() {
        return entry.logicalEnd();
      }
    }

    /** They are in memory, or have a place that no commit has named. */
    record Written(long endBlock) implements Run {}

    /** They are zeros. */
    record Nothing(long endBlock) implements Run {}

    /** What is at a place, up to a block. */
    static Run of(ContentReader.Place place, long block, long limit) {
      long end = Math.min(limit, place.endBlock());
      return switch (place) {
        case ContentReader.Place.Placed placed -> new Placed(placed.entry().slice(block, end));
        case ContentReader.Place.InMemory _ -> new Written(end);
        // Behind the end there is nothing, however far somebody looks.
        case ContentReader.Place.Hole _ -> new Nothing(Math.max(end, block + 1));
      };
    }
  }
}
