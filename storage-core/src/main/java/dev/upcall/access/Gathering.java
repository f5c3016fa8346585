package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.edit.Edit;
import dev.upcall.edit.EditChoice;
import dev.upcall.edit.Eos;
import dev.upcall.edit.Geometry;
import dev.upcall.edit.Neighbourhood;
import dev.upcall.edit.Piece;
import dev.upcall.edit.Plan;
import dev.upcall.io.Disk;
import dev.upcall.segment.PieceMap;
import dev.upcall.segment.SpaceManager;
import dev.upcall.space.Reserve;
import dev.upcall.txn.SegmentAccess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Asks a file's policy what is copied together with an edit: looks for the pieces around it, and
 * tells the range of the content that gets a new place with it. One for one edit; dispatcher's
 * thread only. Failures: {@code Corrupt}, {@code Device}.
 *
 * <p>A policy sees at most {@value #MOST_PIECES} pieces on either side, and of each no more than
 * twice what it would take from it; so it copies a few thresholds at most, and pages of the map are
 * read near the edit only. On a full volume no policy copies anything for a cut.
 */
final class Gathering {
  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** Pieces on either side that a policy sees. */
  private static final int MOST_PIECES = 8;

  private static final int LONGEST_RUN = 8192;

  /** What is copied has a place in the checkpoint's image, too, and is 4 thresholds at most. */
  private static final long MOST_COPIED_THRESHOLDS = 8;

  /** Pages of trees, and of their second copies, that an edit may change. */
  private static final long MOST_PAGES = 64;

  private final MapLook maps;
  private final PieceMap map;
  private final PieceMap.Stretch removed;
  private final long inserted;
  private final int threshold;
  private final CompletionPort<PieceMap.Stretch> port;

  /** Lengths before the range, the nearest last, and behind it, the nearest first. */
  private final Deque<Long> before = new ArrayDeque<>();

  private final Deque<Long> behind = new ArrayDeque<>();

  /** Whether the first of each side is one piece with what is on the other side of its border. */
  private boolean goesOnBefore;

  private boolean goesOnBehind;

  private Gathering(
      MapLook maps,
      PieceMap map,
      Edit edit,
      EditChoice choice,
      CompletionPort<PieceMap.Stretch> port) {
    this.maps = maps;
    this.map = map;
    this.removed = new PieceMap.Stretch(edit.offset(), edit.removed());
    this.inserted = edit.inserted();
    this.threshold = choice.thresholdBlocks();
    this.port = port;
  }

  /** The range that is replaced by itself with the edit done; at least what the edit removes. */
  static void around(
      SegmentAccess access,
      PieceMap map,
      Edit edit,
      EditChoice choice,
      CompletionPort<PieceMap.Stretch> port) {
    if (choice.thresholdBlocks() == 1 || edit.inserted() == 0 && isFull(access, choice)) {
      // The rest of a block is seen to in any case.
      port.complete(Completion.done(new PieceMap.Stretch(edit.offset(), edit.removed())));
      return;
    }
    Gathering gathering = new Gathering(new MapLook(access), map, edit, choice, port);
    gathering.lookBefore(edit.offset());
  }

  /** Whether there is no room for what a policy copies: a cut that copies nothing has some. */
  private static boolean isFull(SegmentAccess access, EditChoice choice) {
    SpaceManager space = access.layouts().space();
    long most = MOST_COPIED_THRESHOLDS * choice.thresholdBlocks() + MOST_PAGES;
    return !space.mayGrow() && !space.hasRoom(most, Reserve.NORMAL);
  }

  private long end() {
    return removed.offset() + removed.bytes();
  }

  private void lookBefore(long offset) {
    if (offset == 0 || isEnough(before)) {
      lookBehind(end());
      return;
    }
    maps.around(
        map,
        offset - 1,
        port.then(
            piece -> {
              goesOnBefore |= piece.offset() + piece.bytes() > offset;
              before.addFirst(seen(offset - piece.offset()));
              lookBefore(piece.offset());
            }));
  }

  private void lookBehind(long offset) {
    if (offset == map.sizeBytes() || isEnough(behind)) {
      port.complete(Completion.done(asked()));
      return;
    }
    maps.around(
        map,
        offset,
        port.then(
            piece -> {
              long next = piece.offset() + piece.bytes();
              goesOnBehind |= piece.offset() < offset;
              behind.addLast(seen(next - offset));
              lookBehind(next);
            }));
  }

  /** The farthest so far is never taken whole, or there are as many as a policy sees. */
  private boolean isEnough(Deque<Long> side) {
    if (side.isEmpty()) {
      return false;
    }
    long farthest = side == before ? side.getFirst() : side.getLast();
    return side.size() == MOST_PIECES || farthest >= most();
  }

  private long most() {
    return (2L * threshold + 2) * BLOCK;
  }

  /** Of what is long enough not to be taken whole, as much as matters: its end within a block. */
  private long seen(long bytes) {
    return bytes < most() ? bytes : most() + bytes % BLOCK;
  }

  // ------------------------------------------------------------------ asking

  private PieceMap.Stretch asked() {
    List<Long> lengths = new ArrayList<>(before);
    long left = before.stream().mapToLong(Long::longValue).sum();
    long gone = seen(removed.bytes());
    boolean isOne = goesOnBefore && goesOnBehind;
    if (gone > 0) {
      // What goes is a piece of its own, or the end of one, or the begin of the next.
      add(lengths, gone, goesOnBefore);
    }
    boolean first = true;
    for (long bytes : behind) {
      add(lengths, bytes, first && (gone > 0 ? goesOnBehind : isOne));
      first = false;
    }
    Eos policy = new Eos(new Geometry(BLOCK, LONGEST_RUN), threshold);
    List<Piece> pieces = new ArrayList<>(lengths.size());
    for (long bytes : lengths) {
      pieces.add(new Piece(bytes, policy.geometry().blocks(bytes)));
    }
    Neighbourhood around = new Neighbourhood(pieces);
    Plan.Range written = policy.splice(around, new Edit(left, gone, inserted)).written(around);
    long taken = left - Math.min(left, written.from());
    long takenBehind = Math.max(0, written.to() - left - gone);
    return new PieceMap.Stretch(removed.offset() - taken, taken + removed.bytes() + takenBehind);
  }

  private static void add(List<Long> lengths, long bytes, boolean goesOn) {
    if (goesOn && !lengths.isEmpty()) {
      lengths.set(lengths.size() - 1, lengths.getLast() + bytes);
    } else {
      lengths.add(bytes);
    }
  }
}
