package dev.upcall.bench.largeobject;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The positional tree of ESM and EOS: pages of 512 pairs of a count and a page number, all but the
 * root at least half full, and the root in the object's header, where it costs nothing. An
 * operation, or a series of appends or a scan, reads a page once and writes each that changes once
 * at its end, to a new place, so that the one above changes too. A page that overflows is divided
 * evenly; at the end of the object it leaves half its pairs behind, because appends go on in the
 * other.
 */
final class CountTree implements SegmentIndex {
  static final int PAIRS = 512;
  private static final int LEAST_PAIRS = PAIRS / 2;

  private final PaperMachine machine;
  private final Set<IndexNode> visited = new HashSet<>();
  private final Set<IndexNode> changed = new LinkedHashSet<>();
  private IndexNode root = new IndexNode(0, List.of());
  private int pages;

  CountTree(PaperMachine machine) {
    this.machine = machine;
  }

  @Override
  public long bytes() {
    return root.bytes();
  }

  @Override
  public int pages() {
    return pages;
  }

  @Override
  public Window end() {
    return around(bytes(), bytes());
  }

  @Override
  public Window around(long from, long to) {
    long lastByte = bytes() - 1;
    List<Segment> found = new ArrayList<>();
    long start =
        collect(root, Math.min(from, lastByte), Math.min(Math.max(from, to - 1), lastByte), found);
    return new Window(start, found);
  }

  /** Adds all segments of the lowest pages that hold these bytes; gives where they begin. */
  private long collect(IndexNode node, long firstByte, long lastByte, List<Segment> found) {
    visit(node);
    if (node.level() == 0) {
      node.entries().forEach(entry -> found.add((Segment) entry));
      return 0;
    }
    int first = node.entryOf(firstByte);
    int last = node.entryOf(lastByte);
    long begin = node.position(first);
    long start = begin;
    for (int i = first; i <= last; i++) {
      IndexNode child = node.child(i);
      long bytes = child.bytes();
      long inside =
          collect(
              child, Math.max(firstByte - begin, 0), Math.min(lastByte - begin, bytes - 1), found);
      start = i == first ? begin + inside : start;
      begin += bytes;
    }
    return start;
  }

  @Override
  public void replace(long from, long to, List<Segment> segments) {
    List<IndexNode> made = replaced(root, new Range(from, to, to == bytes()), segments);
    if (made.isEmpty()) {
      root = new IndexNode(0, List.of());
    } else if (made.size() == 1) {
      root = made.getFirst();
    } else {
      List<IndexNode> top = made;
      while (top.size() > 1) {
        top = divided(new IndexNode(top.getFirst().level() + 1, top), /* atEnd= */ false);
      }
      root = top.getFirst();
    }
    while (root.level() > 0 && root.entries().size() == 1) {
      IndexNode only = root.child(0);
      visit(only);
      release(root);
      root = only;
    }
    release(root);
  }

  /**
   * What is replaced.
   *
   * @param atEnd whether the object ends there
   */
  private record Range(long from, long to, boolean atEnd) {
    Range within(long begin, long end, boolean isLast) {
      return new Range(Math.max(from - begin, 0), Math.min(to, end) - begin, atEnd && isLast);
    }
  }

  /** Replaces below a node; gives the nodes that stand for it then, none if it is empty. */
  private List<IndexNode> replaced(IndexNode node, Range range, List<Segment> segments) {
    visit(node);
    changed.add(node);
    if (node.level() == 0) {
      List<IndexEntry> old =
          node.entries().subList(node.entryAt(range.from()), node.entryAt(range.to()));
      old.clear();
      old.addAll(segments);
      return divided(node, range.atEnd());
    }
    int first = node.entryOf(range.from());
    int last = range.to() > range.from() ? node.entryOf(range.to() - 1) : first;
    List<IndexNode> made = new ArrayList<>();
    long begin = node.position(first);
    for (int i = first; i <= last; i++) {
      IndexNode child = node.child(i);
      long end = begin + child.bytes();
      Range part = range.within(begin, end, i == node.entries().size() - 1);
      made.addAll(replaced(child, part, i == first ? segments : List.of()));
      begin = end;
    }
    List<IndexEntry> old = node.entries().subList(first, last + 1);
    old.clear();
    old.addAll(made);
    mend(node, first, made.size());
    return divided(node, range.atEnd());
  }

  /** Children below half are joined or evened out with one beside them. */
  private void mend(IndexNode node, int first, int count) {
    List<IndexEntry> entries = node.entries();
    int end = first + count;
    int i = first;
    while (i < end && entries.size() > 1) {
      if (node.child(i).entries().size() >= LEAST_PAIRS) {
        i++;
        continue;
      }
      int one = i + 1 < entries.size() ? i : i - 1;
      List<IndexNode> made = joined(node.child(one), node.child(one + 1));
      List<IndexEntry> both = entries.subList(one, one + 2);
      both.clear();
      both.addAll(made);
      // One that is made of two may still be too small; two of them are not.
      i = made.size() == 1 ? one : one + 2;
      end -= 2 - made.size();
    }
  }

  private List<IndexNode> joined(IndexNode left, IndexNode right) {
    visit(left);
    visit(right);
    changed.add(left);
    left.entries().addAll(right.entries());
    release(right);
    return divided(left, /* atEnd= */ false);
  }

  /** The node, or as many as its entries need; none if it has none. */
  private List<IndexNode> divided(IndexNode node, boolean atEnd) {
    int count = node.entries().size();
    if (count == 0) {
      release(node);
      return List.of();
    }
    if (count <= PAIRS) {
      node.recount();
      return List.of(node);
    }
    List<IndexEntry> all = List.copyOf(node.entries());
    List<IndexNode> nodes = new ArrayList<>();
    node.entries().clear();
    int begin = 0;
    for (int size : atEnd ? leftBehind(count) : evenly(count)) {
      List<IndexEntry> part = all.subList(begin, begin + size);
      if (nodes.isEmpty()) {
        node.entries().addAll(part);
        nodes.add(node);
      } else {
        nodes.add(new IndexNode(node.level(), part));
      }
      nodes.getLast().recount();
      changed.add(nodes.getLast());
      begin += size;
    }
    return nodes;
  }

  private static List<Integer> leftBehind(int count) {
    List<Integer> sizes = new ArrayList<>();
    int left = count;
    while (left > PAIRS) {
      sizes.add(LEAST_PAIRS);
      left -= LEAST_PAIRS;
    }
    sizes.add(left);
    return sizes;
  }

  private static List<Integer> evenly(int count) {
    int nodes = (count + PAIRS - 1) / PAIRS;
    List<Integer> sizes = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      sizes.add(count / nodes + (i < count % nodes ? 1 : 0));
    }
    return sizes;
  }

  private void visit(IndexNode node) {
    if (visited.add(node) && node.page() != IndexNode.NOWHERE) {
      machine.pager().read(node.page(), 0, PaperMachine.PAGE_BYTES);
    }
  }

  /** A node is no page any more: it is gone, or the root. */
  private void release(IndexNode node) {
    changed.remove(node);
    if (node.page() != IndexNode.NOWHERE) {
      machine.free(node.page(), 1);
      node.placeAt(IndexNode.NOWHERE);
      pages--;
    }
  }

  @Override
  public void write() {
    for (IndexNode node : changed) {
      int page = machine.allocate(1);
      if (node.page() == IndexNode.NOWHERE) {
        pages++;
      } else {
        machine.free(node.page(), 1);
      }
      node.placeAt(page);
      machine.pager().write(page, 0, PaperMachine.PAGE_BYTES);
    }
    changed.clear();
    visited.clear();
  }
}
