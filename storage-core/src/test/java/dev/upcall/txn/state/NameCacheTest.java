package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.completion.Completion;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreTree;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NameCacheTest {
  private static final byte[] KEY = {0, 0, 0, 0, 0, 0, 0, 1, 'a'};

  /** It may forget at any time, but what it knows is what was kept last. */
  @Test
  void knowsWhatWasKeptLastOrNothing() {
    NameCache cache = new NameCache(4);
    TreeMap<Integer, byte[]> kept = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(1);
    int known = 0;
    for (int i = 0; i < 10_000; i++) {
      int name = random.nextInt(12);
      byte[] key = {(byte) name, 7};
      byte[] value = cache.get(key);
      if (value != null) {
        known++;
        assertArrayEquals(kept.get(name), value);
      }
      if (random.nextInt(3) == 0) {
        cache.forget(key);
        kept.remove(name);
        assertNull(cache.get(key));
      } else {
        byte[] next = {(byte) i, (byte) (i >> 8)};
        cache.keep(key, next);
        kept.put(name, next);
        // The caller may go on using its key.
        key[1] = 8;
        assertArrayEquals(next, cache.get(new byte[] {(byte) name, 7}));
      }
    }
    assertEquals(true, known > 500, "known: " + known);
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
