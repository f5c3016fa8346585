package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The budget for pages: kept in the long run, and never at the price of an endless loop. */
class PageCacheTest {
  private final TreeConfig config = TreeConfig.ofFanOut(1, 8);
  private final PageStore store = new PageStore(config);

  private PageRef written(int entries) {
    Tree tree = new Tree(config, 1, null, new PageCache(0, page -> {}));
    for (int i = 0; i < entries; i++) {
      tree.put(key(i), key(i));
    }
    store.persist(tree.freeze(1));
    PageRef root = tree.root();
    return PageRef.of(root.addressA(), root.blocks()[1], root.crc(), root.level(), root.birth());
  }

  @Test
  void theBudgetIsKept() {
    PageCache cache = new PageCache(100_000, page -> {});
    Tree tree = new Tree(config, 1, written(5000), cache);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 5000; i++) {
        int number = i;
        assertArrayEquals(key(i), store.reading(() -> tree.get(key(number))));
        cache.trim(PageCache.PAGES_PER_TRIM);
        assertTrue(cache.residentBytes() < 200_000, "budget: " + cache.residentBytes());
      }
    }
    assertTrue(cache.evictions() > 1000);
  }

  /** So that a heap with room for the budget holds all pages of a store that changes much. */
  @Test
  void cleanPagesMakeRoomForDirtyOnes() {
    changed(i -> 16 * i);
  }

  /** New pages, which replace none. */
  @Test
  void cleanPagesMakeRoomForNewOnes() {
    changed(i -> 5000 + i);
  }

  private void changed(IntUnaryOperator keys) {
    long budgetBytes = 200L * config.pageBytes();
    Tree[] late = new Tree[1];
    PageCache cache =
        new PageCache(
            budgetBytes,
            () -> late[0] == null ? 0 : (long) late[0].dirtyPages() * config.pageBytes(),
            block -> null,
            page -> {});
    Tree tree = new Tree(config, 1, written(5000), cache);
    late[0] = tree;
    for (int i = 0; i < 5000; i++) {
      int number = i;
      store.reading(() -> tree.get(key(number)));
      cache.trim(PageCache.PAGES_PER_TRIM);
    }
    assertTrue(cache.residentBytes() > budgetBytes / 2, "clean: " + cache.residentBytes());
    for (int i = 1; tree.dirtyPages() < 200; i++) {
      int number = keys.applyAsInt(i);
      store.reading(
          () -> {
            tree.put(key(number), key(-number));
            return number;
          });
      if (cache.isOverBudget()) {
        cache.trim(PageCache.PAGES_PER_TRIM);
      }
    }
    assertTrue(cache.residentBytes() <= budgetBytes / 3, "clean: " + cache.residentBytes());
    assertArrayEquals(
        key(-keys.applyAsInt(1)), store.reading(() -> tree.get(key(keys.applyAsInt(1)))));
  }

  /** A look that needs fifty leaves at once, on a budget for ten, among others like it. */
  @Test
  void whoNeedsMoreThanTheBudgetGetsThere() {
    PageCache cache = new PageCache(40_000, page -> {});
    Tree tree = new Tree(config, 1, written(5000), cache);
    List<Integer> next = new ArrayList<>(List.of(0, 1000, 2000, 3000, 4000));
    int loads = 0;
    while (!next.isEmpty()) {
      for (int i = next.size() - 1; i >= 0; i--) {
        try {
          scan(tree, next.get(i), 300);
          next.remove(i);
        } catch (PageMissing missing) {
          store.load(missing.page());
          loads++;
          assertTrue(loads < 2000, "does not come to an end");
        }
        cache.trim(PageCache.PAGES_PER_TRIM);
      }
    }
  }

  /** What a thread finds that cannot load pages; one that is looked at often is loaded. */
  @Test
  void aPageThatIsNotInTheHeap_isReadFromItsImage() {
    List<LongFunction<byte @Nullable []>> images = new ArrayList<>();
    images.add(block -> null);
    PageCache cache = new PageCache(0, () -> 0, block -> images.getLast().apply(block), page -> {});
    TreeVersion version = new TreeVersion(new Tree(config, 1, written(100), cache).root());
    assertThrows(PageMissing.class, () -> version.get(key(7)));
    images.add(block -> store.block(block).clone());
    int looks = 0;
    for (int i = 0; i < 100; i++) {
      try {
        assertArrayEquals(key(i), version.get(key(i)));
        looks++;
      } catch (PageMissing missing) {
        assertEquals(0, cache.residentBytes());
      }
    }
    assertTrue(looks >= 70 && looks < 100, "found in images: " + looks);
    images.add(block -> store.block(1).clone());
    assertThrows(PageMissing.class, () -> version.get(key(7)), "another page's image");
  }

  private static void scan(Tree tree, int from, int entries) {
    Cursor cursor = tree.from(key(from));
    for (int i = 0; i < entries; i++) {
      assertTrue(cursor.next());
      assertArrayEquals(key(from + i), cursor.key());
    }
  }

  @Test
  void dirtyPagesStay() {
    PageCache cache = new PageCache(0, page -> {});
    Tree tree = new Tree(config, 1, null, cache);
    for (int i = 0; i < 1000; i++) {
      tree.put(key(i), key(i));
    }
    Frozen frozen = tree.freeze(1);
    DirtyPage first = frozen.nextToPersist();
    first.assign(5, 6, ByteBuffer.allocate(4096));
    cache.trim(PageCache.PAGES_PER_TRIM);
    assertArrayEquals(key(0), tree.get(key(0)), "not written yet");
    assertThrows(Invariants.Violation.class, () -> first.assign(7, 8, ByteBuffer.allocate(4096)));
    first.written();
    for (int i = 0; i < 20; i++) {
      store.persist(frozen.nextToPersist());
      cache.trim(PageCache.PAGES_PER_TRIM);
    }
    assertThrows(PageMissing.class, () -> tree.get(key(0)));
    assertArrayEquals(key(999), tree.get(key(999)));
  }

  @Test
  void trimmingInPiecesComesToTheSame() {
    PageCache whole = new PageCache(100_000, page -> {});
    PageCache pieces = new PageCache(100_000, page -> {});
    Tree wholeTree = new Tree(config, 1, written(5000), whole);
    Tree piecesTree = new Tree(config, 1, written(5000), pieces);
    int calls = 0;
    for (int i = 0; i < 5000; i++) {
      int number = i;
      assertArrayEquals(key(i), store.reading(() -> wholeTree.get(key(number))));
      assertArrayEquals(key(i), store.reading(() -> piecesTree.get(key(number))));
      if (i % 1000 == 999) {
        whole.trim(Integer.MAX_VALUE);
        for (; pieces.isOverBudget(); calls++) {
          long evicted = pieces.evictions();
          pieces.trim(7);
          assertTrue(pieces.evictions() - evicted <= 7, "more than asked for");
        }
        assertEquals(whole.residentBytes(), pieces.residentBytes());
      }
    }
    assertTrue(whole.evictions() > 100, whole.evictions() + " evictions");
    assertEquals(whole.evictions(), pieces.evictions());
    assertTrue(calls > 20, calls + " calls");
  }

  @Test
  void aCursorNoticesAChange() {
    Tree tree = new Tree(config, 1, null, new PageCache(0, page -> {}));
    tree.put(key(1), key(1));
    Cursor cursor = tree.from(key(0));
    assertTrue(cursor.next());
    tree.put(key(2), key(2));
    assertThrows(IllegalStateException.class, cursor::next);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }
}
