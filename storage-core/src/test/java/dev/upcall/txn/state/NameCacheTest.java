package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreTree;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NameCacheTest {
  private static final byte[] KEY = {0, 0, 0, 0, 0, 0, 0, 1, 'a'};

  /** It may forget at any time, but what it knows is what was so at the SCN, for every reader. */
  @Test
  void knowsWhatWasSoAtAnScnOrNothing() {
    NameCache cache = new NameCache(4, new ChangeStamps(2));
    TreeMap<Integer, TreeMap<Long, byte[]>> history = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(1);
    int known = 0;
    int knownThen = 0;
    for (long scn = 1; scn <= 20_000; scn++) {
      int name = random.nextInt(12);
      byte[] key = {(byte) name, 7};
      TreeMap<Long, byte[]> values =
          history.computeIfAbsent(name, _ -> new TreeMap<>(Map.of(0L, new byte[] {0})));
      if (random.nextInt(8) == 0) {
        cache.changing(key, scn);
        values.put(scn, new byte[] {(byte) scn, (byte) (scn >> 8)});
        assertNull(cache.get(key, scn));
      }
      long moment = random.nextBoolean() ? scn : Math.max(0, scn - random.nextInt(100));
      byte[] expected = values.floorEntry(moment).getValue();
      byte[] value = cache.get(key, moment);
      if (value == null) {
        cache.keep(key, expected, moment);
        key[1] = 8; // the caller may go on using its key
      } else {
        assertArrayEquals(expected, value);
        known++;
        knownThen += moment < scn ? 1 : 0;
      }
    }
    assertTrue(known > 1000 && knownThen > 100, "known: " + known + ", then: " + knownThen);
  }

  @Test
  void whatIsNewerStaysForThoseWhoLookAtThePresent() {
    NameCache cache = new NameCache(4, new ChangeStamps(4));
    byte[] value = {1};
    cache.keep(KEY, value, 9);
    cache.keep(KEY, new byte[] {2}, 8);
    assertSame(value, cache.get(KEY, 9));
    assertNull(cache.get(KEY, 8), "found later: it may not have been there yet");
    cache.changing(new byte[] {1, 2}, 10);
    cache.changing(KEY, 11);
    cache.keep(KEY, new byte[] {2}, 10);
    assertNull(cache.get(KEY, 11), "somebody who looks at what was before has brought it back");
    assertNull(cache.get(KEY, 10), "changed since: who knows when");
  }

  @Test
  void anInodeIsKnownFromWhenItWasFoundUntilItChanges() {
    InodeCache cache = new InodeCache(4, new ChangeStamps(4));
    Inode inode = StoreFixture.file(7, 1);
    cache.keep(inode, 5);
    cache.keep(StoreFixture.file(7, 0), 4);
    assertNull(cache.get(7, 4));
    assertSame(inode, cache.get(7, 5));
    assertSame(inode, cache.get(7, 6));
    assertNull(cache.get(8, 6));
    cache.changing(7, 6);
    assertNull(cache.get(7, 5));
    cache.keep(inode, 5);
    assertNull(cache.get(7, 6));
  }

  /** A store that did not forget a changed name would give what it was before. */
  @Test
  void aChangedNameIsSeenAtOnce() {
    SimWorld world = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    for (byte round = 1; round < 4; round++) {
      byte[] value = {round, 2, 3};
      set(world, store, value);
      assertArrayEquals(value, look(world, store));
      assertArrayEquals(value, look(world, store));
    }
    set(world, store, null);
    assertNull(look(world, store));
    assertInstanceOf(Completion.Done.class, store.close());
  }

  private static void set(SimWorld world, StoreFixture store, byte @Nullable [] value) {
    Completion<Long> changed =
        world.await(
            port ->
                store
                    .store()
                    .change(
                        (view, out) -> {
                          if (value == null) {
                            out.remove(StoreTree.NAMES, KEY);
                          } else {
                            out.put(StoreTree.NAMES, KEY, value);
                          }
                          return Completion.done(view.scn());
                        },
                        Durability.SYNC,
                        port));
    assertInstanceOf(Completion.Done.class, changed);
  }

  private static byte @Nullable [] look(SimWorld world, StoreFixture store) {
    byte[][] seen = new byte[1][];
    Completion<Long> looked =
        world.await(
            port ->
                store
                    .store()
                    .query(
                        view -> {
                          seen[0] = view.get(StoreTree.NAMES, KEY);
                          return Completion.done(view.scn());
                        },
                        port));
    assertInstanceOf(Completion.Done.class, looked);
    return seen[0];
  }
}
