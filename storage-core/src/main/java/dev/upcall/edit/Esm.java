package dev.upcall.edit;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ESM (Carey and others, <i>Object and File Management in the EXODUS Extensible Database
 * System</i>, VLDB 1986): leaves of a fixed number of blocks, each at least half full unless it is
 * the only one.
 *
 * <p>An insert rewrites its leaf; one that overflows shares with the neighbour that has more room
 * if that saves a leaf, else it is split evenly. Leaves that a cut removes whole are not read; the
 * two at its borders are written anew, and joined or evened out with a neighbour when they get
 * below half. An overwrite copies the leaves that it touches. An append writes on in the last leaf;
 * when that is full, all leaves are filled but the last two, which share the rest.
 *
 * @param geometry blocks and the longest run
 * @param leafBlocks of each leaf
 */
public record Esm(Geometry geometry, int leafBlocks) implements EditPlanner {
  /** Checks the size of leaves. */
  public Esm {
    Invariants.check(
        leafBlocks > 0 && leafBlocks <= geometry.longestRun(), "no size of leaves", leafBlocks);
    Invariants.check(
        geometry.blockBytes() % 2 == 0, "half a leaf must be whole bytes", geometry.blockBytes());
  }

  /** The leaf of an edit, and its neighbour. */
  @Override
  public Sight sight() {
    return new Sight(2, leafBlocks, leafBlocks, /* untilEnd= */ false);
  }

  @Override
  public int leastBlocks() {
    return leafBlocks - leafBlocks / 2;
  }

  @Override
  public boolean keepsApart() {
    return true;
  }

  @Override
  public Plan splice(Neighbourhood around, Edit edit) {
    if (around.isEmpty()) {
      return append(around, edit.inserted());
    }
    Neighbourhood.Position begin = around.find(edit.offset());
    Neighbourhood.Position end = edit.removed() == 0 ? begin : around.findEnd(edit.end());
    int first = begin.piece();
    int last = end.piece();
    long before = begin.offset();
    long behind = around.bytes(last) - end.offset();
    Sources content = new Sources();
    content.addLast(first, 0, before);
    content.addFresh(edit.inserted());
    content.addLast(last, end.offset(), around.bytes(last));
    if (edit.removed() == edit.inserted()) {
      List<Long> sizes =
          around.pieces().subList(first, last + 1).stream().map(Piece::bytes).toList();
      return new Plan(first, last + 1, leaves(content, sizes));
    }
    boolean bordersStay = edit.inserted() == 0 && first < last && isHalf(before) && isHalf(behind);
    if (bordersStay) {
      return new Plan(first, last + 1, leaves(content, List.of(before, behind)));
    }
    return rewritten(around, first, last, content);
  }

  /** What the leaves from the first to the last become, with a neighbour if that is better. */
  private Plan rewritten(Neighbourhood around, int first, int last, Sources content) {
    long bytes = content.bytes();
    if (bytes == 0) {
      return new Plan(first, last + 1, List.of());
    }
    int begin = first;
    int end = last;
    Integer neighbour = roomier(around, first, last);
    if (neighbour != null && isBetterWith(bytes, around.bytes(neighbour))) {
      bytes += around.bytes(neighbour);
      if (neighbour < first) {
        begin = neighbour;
        content.addFirst(neighbour, 0, around.bytes(neighbour));
      } else {
        end = neighbour;
        content.addLast(neighbour, 0, around.bytes(neighbour));
      }
    }
    return new Plan(begin, end + 1, leaves(content, even(bytes, leavesFor(bytes))));
  }

  /** Whether content is less than a leaf must have, or needs no leaf more with its neighbour. */
  private boolean isBetterWith(long bytes, long neighbour) {
    return bytes <= capacity()
        ? !isHalf(bytes)
        : leavesFor(bytes + neighbour) < leavesFor(bytes) + 1;
  }

  /** The neighbour with fewer bytes, if there is any. */
  private static @Nullable Integer roomier(Neighbourhood around, int first, int last) {
    boolean hasLeft = first > 0;
    boolean hasRight = last < around.count() - 1;
    if (!hasLeft && !hasRight) {
      return null;
    }
    boolean takeLeft = hasLeft && (!hasRight || around.bytes(first - 1) <= around.bytes(last + 1));
    return takeLeft ? first - 1 : last + 1;
  }

  @Override
  public Plan append(Neighbourhood end, long bytes) {
    Sources content = new Sources();
    int last = end.count() - 1;
    if (last >= 0 && end.bytes(last) + bytes <= capacity()) {
      content.addFresh(bytes);
      Run run = new Run(new Source.Old(last, 0, end.bytes(last)), content.take(bytes), leafBlocks);
      return new Plan(last, last + 1, List.of(run));
    }
    int first = last > 0 && end.bytes(last - 1) < capacity() ? last - 1 : Math.max(last, 0);
    for (int i = first; i <= last; i++) {
      content.addLast(i, 0, end.bytes(i));
    }
    content.addFresh(bytes);
    List<Run> runs = new ArrayList<>();
    int piece = first;
    for (long size : filled(content.bytes())) {
      // A leaf that begins where it did keeps its place; behind it all have moved.
      boolean stays = piece <= last;
      if (stays) {
        long kept = Math.min(end.bytes(piece), size);
        content.take(kept);
        runs.add(new Run(new Source.Old(piece, 0, kept), content.take(size - kept), leafBlocks));
        piece = size == end.bytes(piece) ? piece + 1 : last + 1;
      } else {
        runs.add(Run.gathered(content.take(size), leafBlocks));
      }
    }
    return new Plan(first, last + 1, runs);
  }

  /** Leaves have one size. */
  @Override
  public Plan trim(Neighbourhood end) {
    return new Plan(0, 0, List.of());
  }

  private long capacity() {
    return geometry.bytes(leafBlocks);
  }

  private boolean isHalf(long bytes) {
    return 2 * bytes >= capacity();
  }

  private int leavesFor(long bytes) {
    return Math.toIntExact((bytes + capacity() - 1) / capacity());
  }

  private List<Run> leaves(Sources content, List<Long> sizes) {
    return sizes.stream().map(size -> Run.gathered(content.take(size), leafBlocks)).toList();
  }

  private static List<Long> even(long bytes, int count) {
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sizes.add(bytes / count + (i < bytes % count ? 1 : 0));
    }
    return sizes;
  }

  /** Full leaves, but for the last two, which share the rest. */
  private List<Long> filled(long bytes) {
    int count = leavesFor(bytes);
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < count - 2; i++) {
      sizes.add(capacity());
    }
    int shared = count - sizes.size();
    sizes.addAll(even(bytes - sizes.size() * capacity(), shared));
    return sizes;
  }
}
