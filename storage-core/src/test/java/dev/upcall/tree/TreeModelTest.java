package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations on a tree, interleaved with freezes, publications, persisting, evictions and
 * crashes, against a plain map.
 */
class TreeModelTest {
  private static final int TREE = 7;

  private final List<long[]> replacedSinceFreeze = new ArrayList<>();
  private List<long[]> replacedBeforeFreeze = List.of();
  private TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
  private TreeMap<byte[], byte[]> modelAtFreeze = new TreeMap<>(Arrays::compareUnsigned);
  private TreeMap<byte[], byte[]> modelAtRoot = new TreeMap<>(Arrays::compareUnsigned);
  private TreeMap<byte[], byte[]> modelAtVersion = new TreeMap<>(Arrays::compareUnsigned);
  private TreeVersion version = new TreeVersion(null);
  private long versionsSeen;

  @ParameterizedTest
  @CsvSource({
    "4, 1, 1000, 25000",
    "5, 2, 300, 25000",
    "7, 3, 6000, 25000",
    "16, 4, 3000, 25000",
    "1024, 5, 20000, 40000"
  })
  void behavesLikeAMap(int fanOut, long seed, int keys, int operations) {
    run(fanOut, seed, keys, operations, Freeing.AFTER_CHECKPOINT);
  }

  /** The canary: the test must notice a tree whose old pages are given back too early. */
  @Test
  void noticesPagesThatAreFreedEarly() {
    IllegalStateException lost =
        assertThrows(IllegalStateException.class, () -> run(5, 11, 3000, 50000, Freeing.AT_ONCE));
    assertTrue(lost.getMessage().contains("was freed"), lost.getMessage());
  }

  private enum Freeing {
    AFTER_CHECKPOINT,
    AT_ONCE
  }

  private void run(int fanOut, long seed, int keys, int operations, Freeing freeing) {
    Random random = new Random(seed);
    TreeConfig config = TreeConfig.ofFanOut(99, fanOut);
    PageStore store = new PageStore(config);
    PageCache cache =
        new PageCache(
            random.nextInt(200_000),
            page -> {
              if (freeing == Freeing.AT_ONCE) {
                Arrays.stream(page.blocks()).forEach(store::free);
              } else {
                replacedSinceFreeze.add(page.blocks());
              }
            });
    Tree tree = new Tree(config, TREE, null, cache);
    PageRef durable = null;
    Frozen frozen = null;
    int bias = 50;
    for (int i = 0; i < operations; i++) {
      if (i % 5000 == 0) {
        bias = 20 + random.nextInt(60);
      }
      byte[] key = key(random.nextInt(keys), fanOut);
      Tree live = tree;
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 -> {
          int before = tree.dirtyPages();
          int bound = tree.worstCaseDirtyPages(1);
          store.reading(
              () -> {
                live.prepare(key);
                return true;
              });
          if (random.nextInt(100) < bias) {
            byte[] value = value(random, fanOut);
            tree.put(key, value);
            model.put(key, value);
          } else {
            assertEquals(model.remove(key) != null, tree.remove(key));
          }
          assertTrue(tree.dirtyPages() - before <= bound, "worst case");
        }
        case 12, 13 -> assertArrayEquals(model.get(key), store.reading(() -> live.get(key)));
        case 14 -> {
          compareVersion(key);
          if (random.nextInt(8) == 0) {
            int dirty = tree.dirtyPages();
            version = tree.publish();
            modelAtVersion = new TreeMap<>(model);
            assertEquals(dirty, tree.dirtyPages());
          }
        }
        case 15 -> {
          compareScan(store, tree.from(key), model.tailMap(key, true), 20);
          compareScan(store, tree.below(key), model.headMap(key, false).descendingMap(), 20);
          compareEntry(model.ceilingEntry(key), store.reading(() -> live.ceiling(key)));
        }
        case 16, 17 -> cache.trim(PageCache.PAGES_PER_TRIM);
        case 18 -> {
          if (frozen == null) {
            if (random.nextInt(10) == 0) {
              // A volume begins with two copies of leaves, and goes over to one.
              frozen = tree.freeze(i + 1, /* leavesOnce= */ 3 * i > operations);
              assertEquals(tree.dirtyPages(), frozen.dirtyPages());
              modelAtFreeze = new TreeMap<>(model);
              replacedBeforeFreeze = List.copyOf(replacedSinceFreeze);
              replacedSinceFreeze.clear();
            }
          } else if (random.nextInt(4) == 0) {
            store.persist(frozen);
            durable = frozen.root();
            frozen = null;
            modelAtRoot = modelAtFreeze;
            for (long[] blocks : replacedBeforeFreeze) {
              Arrays.stream(blocks).forEach(store::free);
            }
            cache.trim(PageCache.PAGES_PER_TRIM);
            check(store, config, durable, modelAtRoot);
          } else {
            for (int n = random.nextInt(10); n > 0; n--) {
              DirtyPage page = frozen.nextToPersist();
              if (page != null) {
                store.persist(page);
              }
            }
          }
        }
        default -> {
          if (random.nextInt(500) == 0 && frozen == null) {
            // Crash: what was durable is all there is.
            tree = new Tree(config, TREE, durable == null ? null : copy(durable), cache);
            model = new TreeMap<>(modelAtRoot);
            replacedSinceFreeze.clear();
            compareScan(store, tree.from(new byte[0]), model, Integer.MAX_VALUE);
          }
        }
      }
    }
    compareScan(store, tree.from(new byte[0]), model, Integer.MAX_VALUE);
    byte[] last = model.isEmpty() ? new byte[0] : model.lastKey();
    Map<byte[], byte[]> down = model.headMap(last, false).descendingMap();
    compareScan(store, tree.below(last), down, Integer.MAX_VALUE);
    compareScan(store, tree.publish().below(last), down, Integer.MAX_VALUE);
    assertTrue(cache.evictions() > 0);
    assertTrue(versionsSeen > 0);
  }

  /** What is published stays, but for pages that have left the memory. */
  private void compareVersion(byte[] key) {
    try {
      assertArrayEquals(modelAtVersion.get(key), version.get(key));
      compareCursor(version.from(key), modelAtVersion.tailMap(key, true));
      compareCursor(version.below(key), modelAtVersion.headMap(key, false).descendingMap());
      versionsSeen++;
    } catch (PageMissing missing) {
      assertFalse(missing.page().isResident());
    }
  }

  private static void compareCursor(Cursor cursor, Map<byte[], byte[]> expected) {
    for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
      assertTrue(cursor.next());
      assertArrayEquals(entry.getKey(), cursor.key());
      assertArrayEquals(entry.getValue(), cursor.value());
    }
    assertFalse(cursor.next());
  }

  private static PageRef copy(PageRef ref) {
    long second = ref.hasOneCopy() ? 0 : ref.blocks()[1];
    return PageRef.of(ref.addressA(), second, ref.crc(), ref.level(), ref.birth());
  }

  /** The whole structure on disk, and that nothing else is there. */
  private static void check(
      PageStore store, TreeConfig config, PageRef root, TreeMap<byte[], byte[]> expected) {
    Set<Long> claimed = new HashSet<>();
    Iterator<Map.Entry<byte[], byte[]>> entries = expected.entrySet().iterator();
    TreeCheck check =
        new TreeCheck(
            config,
            TREE,
            root,
            new TreeCheck.Visitor() {
              @Override
              public boolean claim(long block) {
                return claimed.add(block);
              }

              @Override
              public boolean leavesOnce() {
                return true;
              }

              @Override
              public void entry(byte[] key, byte[] value) {
                Map.Entry<byte[], byte[]> entry = entries.next();
                assertArrayEquals(entry.getKey(), key);
                assertArrayEquals(entry.getValue(), value);
              }
            });
    for (long block = check.nextBlock(); block >= 0; block = check.nextBlock()) {
      check.accept(ByteBuffer.wrap(store.block(block)));
    }
    assertEquals(List.of(), check.problems());
    assertEquals(expected.size(), check.entries());
    assertEquals(claimed.size(), store.usedBlocks());
    long walked = 0;
    PageWalk walk =
        new Tree(config, TREE, root == null ? null : copy(root), new PageCache(0, page -> {}))
            .walk();
    while (store
        .reading(() -> java.util.Optional.ofNullable(walk.next()))
        .map(ref -> Arrays.stream(ref.blocks()).allMatch(claimed::remove))
        .orElse(false)) {
      walked++;
    }
    assertEquals(check.pages(), walked);
    assertTrue(claimed.isEmpty());
  }

  private static void compareEntry(
      Map.@Nullable Entry<byte[], byte[]> expected, Tree.@Nullable Entry found) {
    assertEquals(expected == null, found == null);
    if (expected != null && found != null) {
      assertArrayEquals(expected.getKey(), found.key());
      assertArrayEquals(expected.getValue(), found.value());
    }
  }

  private static void compareScan(
      PageStore store, Cursor cursor, Map<byte[], byte[]> expected, int limit) {
    int n = 0;
    for (Map.Entry<byte[], byte[]> entry : expected.entrySet()) {
      if (n++ >= limit) {
        return;
      }
      assertTrue(store.reading(cursor::next));
      assertArrayEquals(entry.getKey(), cursor.key());
      assertArrayEquals(entry.getValue(), cursor.value());
    }
    assertFalse(store.reading(cursor::next));
  }

  private static byte[] key(int number, int fanOut) {
    String text = fanOut % 2 == 0 ? Integer.toString(number) : "k".repeat(number % 290) + number;
    return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  private static byte[] value(Random random, int fanOut) {
    byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(1201) : random.nextInt(40)];
    random.nextBytes(value);
    return value;
  }
}
