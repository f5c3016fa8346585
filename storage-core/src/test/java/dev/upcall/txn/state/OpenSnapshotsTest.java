package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.segment.CopiedBlocks;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Unplaced;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What open snapshots see of unplaced content, against plain copies; and what it costs. */
class OpenSnapshotsTest {
  private static final long SEGMENTS = 6;

  private final OpenSnapshots snapshots = new OpenSnapshots(Faults.NONE);
  private final SegmentTable table = new SegmentTable(snapshots);
  private final Map<Long, Long> now = new TreeMap<>();
  private final List<Moment> open = new ArrayList<>();
  private long scn = 1;
  private long written;

  /** A snapshot, and what each segment had then. */
  private record Moment(OpenSnapshots.Entry entry, Map<Long, Long> stamps) {}

  @Test
  void eachSeesItsMomentWhicheverIsClosed() {
    for (int seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < 600; i++) {
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> write(random.nextLong(SEGMENTS));
          case 3 -> drop(random.nextLong(SEGMENTS));
          case 4, 5 -> take();
          default -> {
            if (!open.isEmpty()) {
              close(open.get(random.nextInt(open.size())));
            }
          }
        }
        if (i % 7 == 0) {
          checkAll("seed " + seed + ", step " + i);
        }
      }
      while (!open.isEmpty()) {
        close(open.get(random.nextInt(open.size())));
        checkAll("seed " + seed + ", closing");
      }
      assertEquals(0, snapshots.copiedBytes(), "seed " + seed);
      assertEquals(0, snapshots.count());
    }
  }

  @Test
  void aClosedOneIsNoMore() {
    take();
    OpenSnapshots.Entry entry = open.getFirst().entry();
    snapshots.remove(entry);
    assertThrows(Invariants.Violation.class, () -> snapshots.remove(entry));
    assertThrows(Invariants.Violation.class, () -> table.unplaced(entry, 1));
  }

  /**
   * What all of many see is handed from one to the next as they are closed, and not piece by piece.
   */
  @Test
  void whatAllSeeMovesAsAWhole() {
    for (long segment = 0; segment < 1000; segment++) {
      write(segment);
    }
    List<OpenSnapshots.Entry> entries = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      entries.add(snapshots.add(scn++));
    }
    for (long segment = 0; segment < 1000; segment++) {
      write(segment);
    }
    assertEquals(1000L * Disk.BLOCK_BYTES, snapshots.copiedBytes());
    while (entries.size() > 1) {
      snapshots.remove(entries.removeLast());
    }
    assertEquals(1000L * Disk.BLOCK_BYTES, entries.getFirst().copiedBytes());
    assertEquals(0, snapshots.looks());
  }

  /** In whatever order they are closed, a copy is looked at so often as parts can double. */
  @Test
  void closingCostsALogarithm() {
    for (String order : List.of("oldest first", "newest first", "any")) {
      long before = snapshots.looks();
      int copies = 4096;
      for (int i = 0; i < copies; i++) {
        write(i % SEGMENTS);
        take();
        write(i % SEGMENTS);
      }
      List<Moment> closing = new ArrayList<>(open);
      if (order.equals("newest first")) {
        Collections.reverse(closing);
      } else if (order.equals("any")) {
        Collections.shuffle(closing, new Random(1));
      }
      open.clear();
      closing.forEach(moment -> snapshots.remove(moment.entry()));
      long looks = snapshots.looks() - before;
      assertTrue(looks <= copies * 13L, order + ": " + looks + " looks at " + copies);
    }
  }

  private void write(long segment) {
    long stamp = ++written;
    table.write(segment, new Overlay.Part(0, 1, new StampedLease(stamp), 0), ++scn);
    now.put(segment, stamp);
  }

  private void drop(long segment) {
    table.drop(segment, 0, 1, ++scn);
    now.remove(segment);
  }

  private void take() {
    open.add(new Moment(snapshots.add(scn), new TreeMap<>(now)));
  }

  private void close(Moment moment) {
    open.remove(moment);
    snapshots.remove(moment.entry());
  }

  private void checkAll(String when) {
    long bytes = 0;
    for (Moment moment : open) {
      bytes += moment.entry().copiedBytes();
      for (long segment = 0; segment < SEGMENTS; segment++) {
        assertEquals(
            moment.stamps().getOrDefault(segment, 0L),
            stamp(table.unplaced(moment.entry(), segment)),
            when + ", SCN " + moment.entry().scn() + ", segment " + segment);
      }
    }
    assertEquals(bytes, snapshots.copiedBytes(), when);
    assertEquals(open.size(), snapshots.count(), when);
  }

  private static long stamp(Unplaced unplaced) {
    return switch (unplaced.ceiling(0)) {
      case null -> 0;
      case Overlay.Part part -> part.lease().buffer().getLong(0);
      case CopiedBlocks.Copy copy -> copy.bytes().getLong(0);
      default -> throw new AssertionError("unplaced: " + unplaced);
    };
  }
}
