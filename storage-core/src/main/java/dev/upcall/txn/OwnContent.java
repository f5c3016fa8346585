package dev.upcall.txn;

import dev.upcall.segment.Overlay;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The unplaced part of what a transaction has given to segments as content, as its own reads see
 * it. Owns a pin of every frame.
 */
final class OwnContent {
  private final Map<Long, Overlay> overlays = new TreeMap<>();

  /** Clones of what the transaction has given no content: their sources. */
  private final Map<Long, Long> sources = new TreeMap<>();

  /**
   * Lays the content of a plan over what is there.
   *
   * @param made the segments that the plan has made
   */
  void absorb(List<Op> ops, List<Long> made) {
    made.forEach(segment -> overlays.putIfAbsent(segment, Overlay.EMPTY));
    for (Op op : ops) {
      switch (op) {
        case Op.OverlayDrop drop ->
            replace(drop.segment(), of(drop).without(drop.from(), drop.to()));
        case Op.OverlayWrite write -> {
          for (Overlay.Part part : write.parts()) {
            Overlay before = overlays.getOrDefault(write.segment(), Overlay.EMPTY);
            replace(write.segment(), before.with(part));
          }
        }
        case Op.OverlayCopy copy -> copy(copy.from(), copy.to());
        default -> {}
      }
    }
  }

  private void copy(long from, long to) {
    Overlay own = overlays.get(from);
    if (own != null) {
      replace(to, own.retain());
    } else {
      replace(to, Overlay.EMPTY);
      overlays.remove(to);
      sources.put(to, source(from));
    }
  }

  /** Whose unplaced content a segment has as the transaction began: that of another, as a clone. */
  long source(long segment) {
    return sources.getOrDefault(segment, segment);
  }

  /** What is unplaced of a segment's content; null when the transaction has given it none. */
  @Nullable Overlay of(long segment) {
    return overlays.get(segment);
  }

  /** Gives the pins back. */
  void close() {
    overlays.values().forEach(Overlay::release);
    overlays.clear();
  }

  private Overlay of(Op.OverlayDrop drop) {
    return overlays.getOrDefault(drop.segment(), Overlay.EMPTY);
  }

  private void replace(long segment, Overlay after) {
    sources.remove(segment);
    Overlay before = overlays.put(segment, after);
    if (before != null) {
      before.release();
    }
  }
}
