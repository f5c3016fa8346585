package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

public class StoreTest {
  @Test
  void contentOfAnySizeIsReadBack() {
    SimWorld world = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    int[] sizes = {0, 1, 64, 65, 4095, 4096, 4097, 65535, 65536, 65537, 200_000, 1_500_000};
    for (int i = 0; i < sizes.length; i++) {
      done(store.put(100 + i, StoreFixture.bytes(i, sizes[i])));
    }
    for (int i = 0; i < sizes.length; i++) {
      assertArrayEquals(StoreFixture.bytes(i, sizes[i]), store.read(100 + i), "size " + sizes[i]);
    }
    assertInstanceOf(Completion.Done.class, world.<Unit>await(store.store()::checkpoint));
    for (int i = 0; i < sizes.length; i++) {
      assertArrayEquals(StoreFixture.bytes(i, sizes[i]), store.read(100 + i), "size " + sizes[i]);
    }
    StoreFixture again = StoreFixture.open(world.crashAndReopen());
    for (int i = 0; i < sizes.length; i++) {
      assertArrayEquals(StoreFixture.bytes(i, sizes[i]), again.read(100 + i), "size " + sizes[i]);
    }
    for (int i = 0; i < sizes.length; i += 2) {
      assertInstanceOf(Completion.Done.class, again.remove(100 + i));
    }
    assertInstanceOf(Completion.Done.class, again.close());
  }

  /** What is in memory in pieces is handed out together, across extent entries, too. */
  @Test
  void aHitGivesAllThatIsInMemory() {
    SimWorld world = SimWorld.ofBlocks(2, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    byte[] bytes = StoreFixture.bytes(5, 2 * ExtentEntry.MAX_BLOCKS * Disk.BLOCK_BYTES - 100);
    done(store.put(100, bytes));
    Completion<PinnedContent> pinned = store.pin(100);
    if (!(pinned instanceof Completion.Done<PinnedContent> found)) {
      throw new AssertionError("not pinned: " + pinned);
    }
    try (PinnedContent content = found.value()) {
      assertArrayEquals(bytes, StoreFixture.read(world, content));
      int skip = 70_001;
      ContentSlice slice = Objects.requireNonNull(content.tryRead(skip, 1 << 20));
      assertEquals(bytes.length - skip, slice.sizeBytes());
      ByteBuffer all = ByteBuffer.allocate(bytes.length - skip);
      slice.buffers().forEach(all::put);
      assertArrayEquals(Arrays.copyOfRange(bytes, skip, bytes.length), all.array());
      slice.release();
      ContentSlice few = Objects.requireNonNull(content.tryRead(skip, 5000));
      assertEquals(5000, few.sizeBytes());
      few.release();
    }
    assertInstanceOf(Completion.Done.class, store.close());
  }

  /** What is in memory is pinned at once, in the version of now; what is not leaves no trace. */
  @Test
  void whatIsInMemoryIsPinnedAtOnce() {
    SimWorld world = SimWorld.ofBlocks(2, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    byte[] first = StoreFixture.bytes(5, 20_000);
    done(store.put(100, first));
    Completion<PinnedContent> pinned = store.tryPin(100);
    done(store.put(100, StoreFixture.bytes(6, 300)));
    if (!(pinned instanceof Completion.Done<PinnedContent>(PinnedContent content))) {
      throw new AssertionError("not pinned: " + pinned);
    }
    assertArrayEquals(first, StoreFixture.read(world, content));
    content.close();
    if (!(store.tryPin(101) instanceof Completion.Failed<PinnedContent>(Failure failure))) {
      throw new AssertionError("found what is not there");
    }
    assertInstanceOf(Failure.NotFound.class, failure);
    // So many that the leaf is not the root, which is in memory from the opening on.
    for (int id = 200; id < 220; id++) {
      done(store.put(id, first));
    }
    assertInstanceOf(Completion.Done.class, world.<Unit>await(store.store()::checkpoint));

    StoreFixture again = StoreFixture.open(world.crashAndReopen());
    assertNull(again.tryPin(100), "its page is on the disk");
    pinned(again, 100).close();
    if (!(again.tryPin(100) instanceof Completion.Done<PinnedContent>(PinnedContent held))) {
      throw new AssertionError("its page has been read");
    }
    held.close();
    assertInstanceOf(Completion.Done.class, again.close());
    if (!(again.tryPin(100) instanceof Completion.Failed<PinnedContent>(Failure closed))) {
      throw new AssertionError("pinned in a store that is closed");
    }
    assertInstanceOf(Failure.Closed.class, closed);
  }

  /**
   * More unplaced content at once than memory may hold, several times over: everybody who waits is
   * served.
   */
  @Test
  void manyWhoWaitForMemoryAreAllServed() {
    SimWorld world = SimWorld.ofBlocks(1, 16_384);
    formatLarge(world);
    StoreFixture store = StoreFixture.open(world);
    int[] done = {0};
    for (int round = 0; round < 2; round++) {
      List<StagedContent> staged = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        staged.add(Objects.requireNonNull(store.stage(StoreFixture.bytes(i, 20_000))));
      }
      for (int i = 0; i < staged.size(); i++) {
        int id = 1000 + 150 * round + i;
        store.put(
            id,
            staged.get(i),
            completion -> {
              done(completion);
              done[0]++;
            });
      }
      int expected = 150 * (round + 1);
      world.runUntil(() -> done[0] == expected);
    }
    for (int i = 0; i < 300; i++) {
      assertArrayEquals(StoreFixture.bytes(i % 150, 20_000), store.read(1000 + i));
    }
    assertInstanceOf(Completion.Done.class, store.close());
  }

  /**
   * Files that stay open are read from disk, with more extent trees than the page budget holds and
   * no other request that could tidy up.
   */
  @Test
  void readingOpenContentKeepsThePageBudget() {
    SimWorld world = SimWorld.ofBlocks(1, 16_384);
    formatLarge(world);
    StoreFixture store = StoreFixture.open(world);
    List<PinnedContent> open = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      done(store.put(100 + i, StoreFixture.bytes(i, 700_000)));
      open.add(pinned(store, 100 + i));
    }
    long budget = StoreFixture.tinyOptions(1).config().pageCacheBytes();
    for (int i = 0; i < 60; i++) {
      assertArrayEquals(StoreFixture.bytes(i, 700_000), StoreFixture.read(world, open.get(i)));
      long resident = store.store().metrics().work().cleanPageBytes();
      assertTrue(resident < budget + budget / 2, "pages: " + resident);
    }
    open.forEach(PinnedContent::close);
    assertInstanceOf(Completion.Done.class, store.close());
  }

  private static PinnedContent pinned(StoreFixture store, long id) {
    return switch (store.pin(id)) {
      case Completion.Done<PinnedContent> done -> done.value();
      case Completion.Failed<PinnedContent> failed ->
          throw new AssertionError(failed.failure().message());
      case null -> throw new AssertionError("crashed");
    };
  }

  private static void formatLarge(SimWorld world) {
    VolumeLayout layout = new VolumeLayout(2048, 64, 16_384);
    world.<Unit>get(
        port ->
            Stores.format(
                world.dispatcher(),
                world.disk(),
                new Stores.Format(1, layout, layout.dataStart() + 64, layout.maxBlocks()),
                port));
  }

  @Test
  void randomLifetimesEndAsTheModelSays() {
    for (long seed = 1; seed <= 20; seed++) {
      SimWorld world = SimWorld.ofBlocks(seed, 4096);
      StoreFixture.format(world);
      TreeMap<Long, byte[]> model = new TreeMap<>();
      SplittableRandom random = new SplittableRandom(seed);
      for (int life = 0; life < 4; life++) {
        StoreFixture store = StoreFixture.open(world);
        check(store, model);
        for (int i = 0; i < 150; i++) {
          long id = 100 + random.nextInt(12);
          if (random.nextInt(4) == 0) {
            assertInstanceOf(Completion.Done.class, store.remove(id));
            model.remove(id);
          } else {
            int size = random.nextInt(8) == 0 ? random.nextInt(300_000) : random.nextInt(9000);
            byte[] bytes = StoreFixture.bytes(random.nextLong(), size);
            done(store.put(id, bytes));
            model.put(id, bytes);
          }
        }
        check(store, model);
        world = world.crashAndReopen();
      }
    }
  }

  public static void done(@Nullable Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit> failed) {
      throw new AssertionError(failed.failure().message());
    }
    assertInstanceOf(Completion.Done.class, completion);
  }

  private static void check(StoreFixture store, TreeMap<Long, byte[]> model) {
    for (long id = 100; id < 112; id++) {
      byte[] expected = model.get(id);
      byte[] found = store.read(id);
      if (expected == null) {
        assertNull(found);
      } else {
        assertArrayEquals(expected, found);
      }
    }
  }
}
