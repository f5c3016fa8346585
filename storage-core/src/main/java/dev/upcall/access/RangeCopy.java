package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.MapTrees;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One range of content on its way into the place of another. Blocks that have places are shared:
 * new block numbers of the target lead to them, and a piece names only those bytes that are meant,
 * so that nothing is read or written of them. What has no place yet, and pieces of less than a
 * block, are copied. One object for one copy; dispatcher's thread only.
 *
 * <pre>
 *  source, blocks    [ . . xxxxxxx ][ xxxxxxxxxxx ][ xxx . . . . ]      x: the range
 *                        |               |             |  the same extents
 *  target, blocks    [ . . xxxxxxx ][ xxxxxxxxxxx ][ xxx . . . . ]      new numbers, one piece
 * </pre>
 */
final class RangeCopy {
  /** The most pieces of a source that one copy takes; the map that has them is one object. */
  static final int MOST_PIECES = 4096;

  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** The most bytes of new block numbers that a copy gives out beyond those of its range. */
  static final long MOST_SKIPPED_BYTES = 2L * (MOST_PIECES + 1) * BLOCK;

  private static final int STEPS_PER_UPCALL = 64;

  private final SegmentAccess access;
  private final RangeEditor editor;
  private final RangeSource source;
  private final PieceMap.Stretch range;
  private final CompletionPort<Made> port;
  private final MapTrees maps;
  private final List<Part> parts = new ArrayList<>();

  /** How much of the range is among the parts. */
  private long found;

  /** Where in the target's block space the next part may come. */
  private long at;

  private boolean isAfterCopied;

  /** The part that is carried out, and how many of its bytes are. */
  private int part;

  private long done;

  /**
   * Bytes of the range that lie together.
   *
   * @param from where they are in the source's block space
   * @param to where they come in the target's; where they are shared, as far from the begin of a
   *     block
   */
  private record Part(long from, long to, long bytes, boolean isShared) {
    PieceMap.Piece piece() {
      return new PieceMap.Piece(bytes, to);
    }
  }

  /**
   * What was made of a range.
   *
   * @param pieces of the target's block space, in order
   * @param endBytes behind them nothing is in their blocks that could come to light
   */
  record Made(List<PieceMap.Piece> pieces, long endBytes) {}

  /**
   * A copy.
   *
   * @param editor of the target
   * @param range of the source's content, which has it; not empty
   * @param port hears what was made; before, the editor must not be used. Failures: {@code
   *     TooLarge} (pieces), {@code VolumeFull}, {@code Busy}, {@code Corrupt}, {@code Device}
   */
  RangeCopy(
      SegmentAccess access,
      RangeEditor editor,
      RangeSource source,
      PieceMap.Stretch range,
      CompletionPort<Made> port) {
    this.access = access;
    this.editor = editor;
    this.source = source;
    this.range = range;
    this.port = port;
    this.maps = access.layouts().trees().maps();
  }

  /**
   * Lays all of it into new blocks of the target, from a place of its block space on.
   *
   * @param isAlike whether the target's block space is its content and shall stay so: then what is
   *     in the last block behind the range must not come along
   */
  void start(long from, boolean isAlike) {
    at = from;
    find(isAlike);
  }

  private Made made() {
    return new Made(parts.stream().map(Part::piece).toList(), isAfterCopied ? at : roundedUp(at));
  }

  /** The first byte of a block from a place on. */
  static long roundedUp(long bytes) {
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
  }

  /** The next steps, when what is missing has come. */
  private void later(PageMissing missing, Runnable step) {
    access.loader().load(missing.page(), port.then(loaded -> step.run()));
  }

  // ------------------------------------------------------------------ what there is

  private void find(boolean isAlike) {
    try {
      for (int i = 0; i < STEPS_PER_UPCALL; i++) {
        if (found == range.bytes()) {
          carryOut();
          return;
        }
        if (parts.size() == MOST_PIECES) {
          port.complete(
              Completion.failed(
                  new Failure.TooLarge(
                      "the number of pieces of a range that is copied",
                      parts.size() + 1L,
                      MOST_PIECES)));
          return;
        }
        PieceMap.Spot spot = spot();
        add(spot.at(), spot.left(), isAlike);
        found += spot.left();
      }
    } catch (PageMissing missing) {
      later(missing, () -> find(isAlike));
      return;
    }
    access.reader().dispatcher().post(() -> find(isAlike));
  }

  private PieceMap.Spot spot() {
    long offset = range.offset() + found;
    long left = range.bytes() - found;
    PieceMap map = source.pieces();
    if (map == null) {
      return new PieceMap.Spot(offset, left);
    }
    PieceMap.Spot spot = maps.find(map, offset);
    return new PieceMap.Spot(spot.at(), Math.min(left, spot.left()));
  }

  private void add(long from, long bytes, boolean isAlike) {
    long tail = isAlike ? bytes % BLOCK : 0;
    boolean isShared = bytes - tail >= BLOCK;
    if (isShared) {
      place(from, bytes - tail, /* isShared= */ true);
    }
    if (!isShared || tail > 0) {
      place(isShared ? from + bytes - tail : from, isShared ? tail : bytes, /* isShared= */ false);
    }
  }

  private void place(long from, long bytes, boolean isShared) {
    long to = isShared ? roundedUp(at) + from % BLOCK : isAfterCopied ? at : roundedUp(at);
    parts.add(new Part(from, to, bytes, isShared));
    at = to + bytes;
    isAfterCopied = !isShared;
  }

  // ------------------------------------------------------------------ carrying out

  private void carryOut() {
    try {
      for (int i = 0; i < STEPS_PER_UPCALL; i++) {
        if (part == parts.size()) {
          port.complete(Completion.done(made()));
          return;
        }
        Part present = parts.get(part);
        if (done == present.bytes()) {
          part++;
          done = 0;
        } else if (!step(present)) {
          return;
        }
      }
    } catch (PageMissing missing) {
      later(missing, this::carryOut);
      return;
    }
    access.reader().dispatcher().post(this::carryOut);
  }

  /** Some of a part; false if that goes on by itself. */
  private boolean step(Part present) {
    long from = present.from() + done;
    if (!present.isShared()) {
      copy(present, present.bytes() - done);
      return false;
    }
    long block = from / BLOCK;
    RangeSource.Run run = source.run(block);
    long bytes =
        Math.min(present.bytes() - done, Math.multiplyExact(upTo(run, present), BLOCK) - from);
    switch (run) {
      case RangeSource.Run.Written _ -> {
        copy(present, bytes);
        return false;
      }
      case RangeSource.Run.Placed(ExtentEntry entry) -> {
        ExtentEntry some = entry.slice(block, upTo(run, present));
        long target = (present.to() + done) / BLOCK;
        editor.space().content().lend(some.at(target));
        done += bytes;
      }
      case RangeSource.Run.Nothing _ -> done += bytes;
    }
    return true;
  }

  /** The block behind those of a run that the part has. */
  private static long upTo(RangeSource.Run run, Part present) {
    return Math.min(run.endBlock(), roundedUp(present.from() + present.bytes()) / BLOCK);
  }

  /** Copies the next bytes of a part, some at a time. */
  private void copy(Part present, long bytes) {
    int length = (int) Math.min(bytes, access.writers().pieceBytes());
    Invariants.check(length > 0, "bytes of a range to copy", bytes);
    ByteBuffer some = ByteBuffer.allocate(length);
    fill(
        present.from() + done,
        some,
        port.then(
            filled ->
                editor
                    .space()
                    .lay(
                        present.to() + done,
                        some.flip(),
                        port.then(
                            laid -> editor.space().spillIfMuch(port.then(rest -> goOn(length)))))));
  }

  private void goOn(int copied) {
    done += copied;
    access.reader().dispatcher().post(this::carryOut);
  }

  private void fill(long from, ByteBuffer into, CompletionPort<Unit> filled) {
    if (!into.hasRemaining()) {
      filled.complete(Completion.done());
      return;
    }
    int start = into.position();
    source.readSpace(
        from,
        into.remaining(),
        into,
        filled.then(read -> fill(from + into.position() - start, into, filled)));
  }
}
