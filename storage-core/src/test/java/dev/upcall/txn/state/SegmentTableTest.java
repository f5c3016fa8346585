package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.fsm.Faults;
import dev.upcall.segment.Overlay;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A walk along what is unplaced, while it changes, against a list. */
class SegmentTableTest {
  private static final int SEEDS = 200;
  private static final int SEGMENTS = 12;
  private static final int ROUNDS = 20;

  private final Set<Long> model = new LinkedHashSet<>();

  /** What has lost its content since the walk went on. */
  private final Set<Long> left = new LinkedHashSet<>();

  private SegmentTable table;
  private long scn;

  @Test
  void aWalkMeetsWhatWasThereAndStillIsInItsOrder() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      table = new SegmentTable(new OpenSnapshots(Faults.NONE));
      model.clear();
      scn = 0;
      for (int round = 0; round < ROUNDS; round++) {
        walk(random, "seed " + seed + ", round " + round);
      }
    }
  }

  /** As the heap does with what it has moved to the old objects, until it looks at all of them. */
  @Test
  void whoHoldsOneThatHasLeftHoldsNoneBehindIt() {
    table = new SegmentTable(new OpenSnapshots(Faults.NONE));
    table.write(1, new Overlay.Part(0, 1, new StampedLease(0), 0), ++scn);
    SegmentTable.Walk holder = table.walk();
    assertEquals(1, holder.next());
    table.walk(); // the only one that goes on when a segment leaves
    WeakReference<Overlay> behind = overlayOf(2);
    table.drop(1, 0, 1, ++scn);
    table.drop(2, 0, 1, ++scn);
    for (int i = 0; i < 50 && behind.get() != null; i++) {
      System.gc();
    }
    assertNull(behind.get());
    assertEquals(SegmentTable.Walk.END, holder.next());
  }

  private WeakReference<Overlay> overlayOf(long segment) {
    table.write(segment, new Overlay.Part(0, 1, new StampedLease(0), 0), ++scn);
    return new WeakReference<>(table.overlay(segment));
  }

  private void walk(SplittableRandom random, String when) {
    changes(random, SEGMENTS);
    SegmentTable.Walk walk = table.walk();
    List<Long> expected = new ArrayList<>(model);
    List<Long> met = new ArrayList<>();
    List<Long> all = new ArrayList<>();
    table.forEach((segment, overlay) -> all.add(segment));
    assertEquals(expected, all, when);
    while (true) {
      changes(random, random.nextInt(3));
      // One that has left and comes again comes behind the end of the walk.
      expected.removeIf(segment -> left.contains(segment) && !met.contains(segment));
      long next = walk.next();
      if (next == SegmentTable.Walk.END) {
        break;
      }
      met.add(next);
    }
    assertEquals(expected, met, when);
    assertEquals(SegmentTable.Walk.END, walk.next(), when);
  }

  private void changes(SplittableRandom random, int count) {
    left.clear();
    for (int i = 0; i < count; i++) {
      long segment = random.nextLong(SEGMENTS);
      if (random.nextInt(3) > 0) {
        table.write(segment, new Overlay.Part(0, 1, new StampedLease(0), 0), ++scn);
        model.add(segment);
      } else {
        table.drop(segment, 0, 1, ++scn);
        if (model.remove(segment)) {
          left.add(segment);
        }
      }
    }
    assertEquals(model.size(), table.unplacedBlocks());
  }
}
