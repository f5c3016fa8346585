package dev.upcall.txn.transaction;

import dev.upcall.segment.Layered;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Unplaced;
import dev.upcall.txn.state.Op;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * The unplaced part of what a transaction has given to segments as content, as its own reads see
 * it: what it has written, over what was unplaced of them when it began. Owns a pin of every frame.
 */
final class OwnContent {
  private static final NavigableMap<Long, Long> ALL = hidden(new TreeMap<>(), 0, Long.MAX_VALUE);

  private final Map<Long, Own> segments = new TreeMap<>();

  /**
   * What is unplaced of a segment.
   *
   * @param top what the transaction has written
   * @param hidden the content blocks of the snapshot that are not its own any more, as runs; never
   *     changed
   * @param source the segment of the snapshot that it has below: another one, if it is a clone
   */
  private record Own(Overlay top, NavigableMap<Long, Long> hidden, long source) {
    boolean hidesAll() {
      Map.Entry<Long, Long> first = hidden.firstEntry();
      return first != null && first.getKey() == 0 && first.getValue() == Long.MAX_VALUE;
    }

    Own with(Overlay newTop) {
      return new Own(newTop, hidden, source);
    }
  }

  /**
   * Lays the content of a plan over what is there.
   *
   * @param made the segments that the plan has made
   */
  void absorb(List<Op> ops, List<Long> made) {
    made.forEach(segment -> segments.putIfAbsent(segment, new Own(Overlay.EMPTY, ALL, segment)));
    for (Op op : ops) {
      switch (op) {
        case Op.OverlayDrop drop -> {
          Own own = own(drop.segment());
          NavigableMap<Long, Long> hidden = hidden(own.hidden(), drop.from(), drop.to());
          Overlay top = own.top().without(drop.from(), drop.to());
          replace(drop.segment(), new Own(top, hidden, own.source()));
        }
        case Op.OverlayWrite write -> {
          for (Overlay.Part part : write.parts()) {
            Own own = own(write.segment());
            replace(write.segment(), own.with(own.top().with(part)));
          }
        }
        case Op.OverlayCopy copy -> {
          Own from = own(copy.from());
          replace(copy.to(), from.with(from.top()));
        }
        default -> {}
      }
    }
  }

  /** Whether the transaction has given it content. */
  boolean has(long segment) {
    return segments.containsKey(segment);
  }

  /** Whether nothing of the snapshot may be seen in it. */
  boolean isWhole(long segment) {
    Own own = segments.get(segment);
    return own != null && own.hidesAll();
  }

  /** What is unplaced of a segment; not retained. */
  Unplaced of(long segment, LongFunction<Unplaced> snapshot) {
    Own own = own(segment);
    return own.hidesAll()
        ? own.top()
        : new Layered(own.top(), own.hidden(), snapshot.apply(own.source()));
  }

  /** Gives the pins back. */
  void close() {
    segments.values().forEach(own -> Overlay.EMPTY.takeOver(own.top()));
    segments.clear();
  }

  private Own own(long segment) {
    Own own = segments.get(segment);
    return own != null ? own : new Own(Overlay.EMPTY, new TreeMap<>(), segment);
  }

  private void replace(long segment, Own after) {
    Own before = segments.put(segment, after);
    after.top().takeOver(before == null ? Overlay.EMPTY : before.top());
  }

  /** Runs of blocks, and one more. */
  private static NavigableMap<Long, Long> hidden(
      NavigableMap<Long, Long> runs, long from, long to) {
    TreeMap<Long, Long> more = new TreeMap<>(runs);
    long first = from;
    long end = to;
    for (Map.Entry<Long, Long> run = more.floorEntry(end);
        run != null && run.getValue() >= first;
        run = more.floorEntry(end)) {
      first = Math.min(first, run.getKey());
      end = Math.max(end, run.getValue());
      more.remove(run.getKey());
    }
    more.put(first, end);
    return more;
  }
}
