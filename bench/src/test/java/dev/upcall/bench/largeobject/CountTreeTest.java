package dev.upcall.bench.largeobject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The tree against a list of the same segments. */
class CountTreeTest {
  private static final int STEPS = 1_500;
  private static final int MOST_SEGMENTS = 6_000;

  private final PaperMachine machine = new PaperMachine();
  private final CountTree tree = new CountTree(machine);
  private final List<Segment> model = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(7);
  private int made;

  private List<Segment> segments(int count) {
    List<Segment> fresh = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fresh.add(new Segment(made++, 1, 1 + random.nextInt(4096)));
    }
    return fresh;
  }

  private long position(int index) {
    return model.subList(0, index).stream().mapToLong(Segment::bytes).sum();
  }

  private void replace(int first, int last, List<Segment> fresh) {
    long from = position(first);
    long to = position(last);
    tree.around(from, to);
    tree.replace(from, to, fresh);
    tree.write();
    List<Segment> old = model.subList(first, last);
    old.clear();
    old.addAll(fresh);
  }

  private void check() {
    assertEquals(position(model.size()), tree.bytes());
    assertEquals(tree.pages(), machine.usedPages());
    assertEquals(model, model.isEmpty() ? List.of() : tree.around(0, tree.bytes()).segments());
    tree.write();
  }

  /** Every page but the root is at least half full. */
  private void checkPages() {
    int lowest = (model.size() + CountTree.PAIRS - 1) / CountTree.PAIRS;
    if (model.size() <= CountTree.PAIRS / 2) {
      assertEquals(0, tree.pages());
    } else if (tree.pages() > 0) {
      assertTrue(tree.pages() >= Math.max(2, lowest), tree.pages() + " for " + model.size());
      int most = 2 * model.size() / CountTree.PAIRS;
      assertTrue(tree.pages() <= most + most / 256, tree.pages() + " for " + model.size());
    } else {
      assertEquals(1, lowest);
    }
  }

  @Test
  void randomReplacementsAgreeWithAList() {
    replace(0, 0, segments(600));
    for (int step = 0; step < STEPS; step++) {
      int first = random.nextInt(model.size());
      int removed = 1 + random.nextInt(random.nextInt(20) == 0 ? 2_500 : 4);
      int last = Math.min(model.size(), first + removed);
      boolean grows = random.nextInt(MOST_SEGMENTS) > model.size();
      int added = grows ? random.nextInt(random.nextInt(20) == 0 ? 2_500 : 8) : random.nextInt(3);
      replace(first, last, segments(Math.max(added, last - first == model.size() ? 1 : 0)));
      check();
      checkPages();
      int index = random.nextInt(model.size());
      SegmentIndex.Window window = tree.around(position(index), position(index) + 1);
      tree.write();
      assertTrue(window.segments().contains(model.get(index)));
      assertEquals(
          position(model.indexOf(window.segments().getFirst())), window.start(), "where it begins");
    }
  }

  @Test
  void threeLevelsComeAndGo() {
    replace(0, 0, segments(1));
    for (int i = 0; i < 8; i++) {
      int last = model.size() - 1;
      List<Segment> more = new ArrayList<>(List.of(model.get(last)));
      more.addAll(segments(40_000));
      replace(last, last + 1, more);
    }
    check();
    assertTrue(tree.pages() > CountTree.PAIRS, "deeper than two levels: " + tree.pages());
    while (model.size() > 1) {
      int first = random.nextInt(model.size());
      replace(first, Math.min(model.size(), first + 30_000), first == 0 ? segments(1) : List.of());
    }
    check();
    assertEquals(0, tree.pages());
  }

  @Test
  void appendsLeaveHalfFullPagesBehind() {
    replace(0, 0, segments(1));
    while (model.size() < 2_560) {
      int last = model.size() - 1;
      List<Segment> more = new ArrayList<>(List.of(model.get(last)));
      more.addAll(segments(1));
      replace(last, last + 1, more);
    }
    assertEquals(9, tree.pages(), "9 nodes for 2,560 leaves, as the paper says");
  }
}
