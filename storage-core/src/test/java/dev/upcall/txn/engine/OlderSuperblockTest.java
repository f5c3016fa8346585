package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.PinnedContent;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * One superblock copy is left, of whatever checkpoint: read-only the volume shows the newest state,
 * or an older one and says so, and of no file other bytes than it had then.
 */
class OlderSuperblockTest {
  private static final VolumeLayout LAYOUT = StoreFixture.tinyLayout();
  private static final int FILES = 12;

  private final SimWorld first = SimWorld.ofBlocks(7, 900).closesUnchecked("damaged on purpose");
  private final StoreFixture store = made();
  private final List<DiskImage> checkpoints = new ArrayList<>();

  /** What each file was after each change. */
  private final TreeMap<Long, Map<Long, byte[]>> history = new TreeMap<>();

  private final Map<OpeningReport.Age, Integer> seen = new EnumMap<>(OpeningReport.Age.class);

  private StoreFixture made() {
    StoreFixture.format(first);
    return StoreFixture.recovered(first);
  }

  private void change(long id, int size) {
    byte[] bytes = StoreFixture.bytes(history.size() + 1000, size);
    assertEquals(Completion.done(), store.put(id, bytes));
    Map<Long, byte[]> files = new TreeMap<>(history.isEmpty() ? Map.of() : last());
    files.put(id, bytes);
    history.put(store.store().info().scn(), files);
  }

  private Map<Long, byte[]> last() {
    return history.lastEntry().getValue();
  }

  private void checkpoint() {
    first.<Unit>get(store.store()::checkpoint);
    checkpoints.add(first.disk().contents().fork());
  }

  @Test
  void whatIsShownIsTheNewestOrSaidToBeOlder() {
    for (int round = 0; round < 12; round++) {
      for (int i = 0; i < 1 + round % 4; i++) {
        change(20 + (5L * round + i) % FILES, round % 3 == 0 ? 9000 : 300 + 100 * i);
      }
      checkpoint();
    }
    for (int i = 0; i < 5; i++) {
      change(20 + i, 200);
    }
    DiskImage killed = first.disk().contents().fork();
    for (DiskImage earlier : checkpoints) {
      for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
        DiskImage image = killed.fork();
        for (int other = 0; other < VolumeLayout.SUPERBLOCK_COPIES; other++) {
          image.flipBit(LAYOUT.superblock(other), 8 * 100);
        }
        image.put(LAYOUT.superblock(copy), earlier.read(LAYOUT.superblock(copy)));
        look(image, "copy " + copy + " of checkpoint " + checkpoints.indexOf(earlier));
      }
    }
    // All copies of the newest checkpoint, and nothing of the older ones, show what is newest.
    assertTrue(seen.getOrDefault(OpeningReport.Age.NEWEST, 0) >= 4, seen::toString);
    assertTrue(seen.getOrDefault(OpeningReport.Age.OLDER, 0) >= 4, seen::toString);
  }

  private void look(DiskImage image, String what) {
    StoreOptions options = StoreFixture.tinyOptions(3).asReadOnly();
    SimWorld world =
        SimWorld.ofBlocks(8, 900).closesUnchecked("damaged on purpose").reopen(image.fork());
    Completion<Store> opened =
        world.await(port -> Stores.open(world.dispatcher(), world.disk(), options, port));
    if (!(opened instanceof Completion.Done<Store>(Store left))) {
      Failure why = assertInstanceOf(Completion.Failed.class, opened, what).failure();
      assertInstanceOf(Failure.Corrupt.class, why, what);
      return;
    }
    OpeningReport opening = left.info().opening();
    long shown = left.info().scn();
    assertEquals(shown, opening.scn(), what);
    if (shown < history.lastKey()) {
      assertNotEquals(OpeningReport.Age.NEWEST, opening.age(), what + ": " + opening);
    }
    seen.merge(opening.age(), 1, Integer::sum);
    Map.Entry<Long, Map<Long, byte[]>> then = history.floorEntry(shown);
    assertNotNull(then, what);
    then.getValue().forEach((id, bytes) -> compare(StoreFixture.of(world, left), id, bytes, what));
    assertEquals(Completion.done(), world.<Unit>await(left::close), what);
    assertEquals(image.digest(), world.disk().contents().digest(), what);
  }

  private static void compare(StoreFixture left, long id, byte[] bytes, String what) {
    Completion<PinnedContent> pinned = left.pin(id);
    if (pinned instanceof Completion.Done<PinnedContent>(PinnedContent content)) {
      try (content) {
        Completion<byte[]> read = StoreFixture.readAll(left.world(), content);
        if (read instanceof Completion.Done<byte[]>(byte[] found)) {
          assertArrayEquals(bytes, found, what + ", file " + id);
        } else {
          corrupt(read, what);
        }
      }
    } else {
      corrupt(pinned, what);
    }
  }

  private static void corrupt(Completion<?> completion, String what) {
    assertInstanceOf(
        Failure.Corrupt.class,
        assertInstanceOf(Completion.Failed.class, completion, what).failure(),
        what);
  }
}
