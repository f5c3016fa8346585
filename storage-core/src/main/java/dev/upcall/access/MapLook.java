package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.MapTrees;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PositionTree;
import dev.upcall.txn.SegmentAccess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Looks into maps of pieces whose trees may not be in memory: what is missing is read, and the look
 * taken again. Without a tree all completes in the call. Failures: {@code Corrupt}, {@code Device}.
 * Dispatcher's thread only.
 */
final class MapLook {
  private static final int RUNS_PER_UPCALL = 64;

  private final SegmentAccess access;
  private final MapTrees maps;

  MapLook(SegmentAccess access) {
    this.access = access;
    this.maps = access.layouts().trees().maps();
  }

  /** Where a byte of the content is in the block space. */
  void find(PieceMap map, long offset, CompletionPort<PieceMap.Spot> port) {
    look(() -> maps.find(map, offset), port);
  }

  /** The range of the content that is in one piece with a byte of it. */
  void around(PieceMap map, long offset, CompletionPort<PieceMap.Stretch> port) {
    look(() -> maps.around(map, offset), port);
  }

  /** What {@link PieceMap#shared} tells. */
  void shared(PieceMap map, PieceMap.Stretch removed, CompletionPort<Integer> port) {
    look(() -> map.shared(removed, at -> maps.find(map, at)), port);
  }

  private <T> void look(Supplier<T> look, CompletionPort<T> port) {
    T found;
    try {
      found = look.get();
    } catch (PageMissing missing) {
      access.loader().load(missing.page(), port.then(loaded -> look(look, port)));
      return;
    }
    port.complete(Completion.done(found));
  }

  /** The blocks that no piece names any more when a range of the content has gone. */
  void ownBlocks(
      PieceMap map, PieceMap.Stretch range, CompletionPort<List<LayoutEditor.Range>> port) {
    new OwnBlocks(map, map.parts(range), port).step();
  }

  /** The blocks of some parts of a map; each part of its tree is taken apart into pieces. */
  private final class OwnBlocks {
    private final PieceMap map;
    private final CompletionPort<List<LayoutEditor.Range>> port;
    private final ArrayDeque<PieceMap.Part> parts;
    private final List<LayoutEditor.Range> runs = new ArrayList<>();

    OwnBlocks(
        PieceMap map, List<PieceMap.Part> parts, CompletionPort<List<LayoutEditor.Range>> port) {
      this.map = map;
      this.parts = new ArrayDeque<>(parts);
      this.port = port;
    }

    void step() {
      try {
        for (int i = 0; i < RUNS_PER_UPCALL; i++) {
          if (parts.isEmpty()) {
            port.complete(Completion.done(runs));
            return;
          }
          takeOne();
        }
      } catch (PageMissing missing) {
        access.loader().load(missing.page(), port.then(loaded -> step()));
        return;
      }
      access.reader().dispatcher().post(this::step);
    }

    private void takeOne() {
      PieceMap.Part part = Invariants.present(parts.peekFirst(), "a part of a map");
      PieceMap.Piece range = part.range();
      if (!map.isInTree(range.from())) {
        parts.removeFirst();
        add(part);
        return;
      }
      PositionTree.Spot run = maps.runAt(map, range.from());
      boolean afterMore = part.afterMore() && run.before() > 0;
      long bytes = Math.min(run.left(), range.bytes());
      boolean beforeMore = run.left() > bytes && part.beforeMore();
      parts.removeFirst();
      if (bytes < range.bytes()) {
        PieceMap.Piece rest = new PieceMap.Piece(range.bytes() - bytes, range.from() + bytes);
        parts.addFirst(new PieceMap.Part(rest, /* afterMore= */ false, part.beforeMore()));
      }
      add(new PieceMap.Part(new PieceMap.Piece(bytes, run.number()), afterMore, beforeMore));
    }

    private void add(PieceMap.Part part) {
      LayoutEditor.Range blocks = part.ownBlocks();
      if (blocks != null) {
        runs.add(blocks);
      }
    }
  }
}
