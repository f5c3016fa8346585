package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Who walks from page to page is told which pages come next; who looks at one place is not. */
class CursorAheadTest {
  private static final int KEYS = 500;

  private final TreeConfig config = TreeConfig.ofFanOut(3, 8);
  private final PageStore store = new PageStore(config);
  private final PageCache cache = new PageCache(1 << 20, page -> {});
  private final PageRef root = written();

  @Test
  void aWalkUpwardsWaitsOnceForManyPages() {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      all.add(i);
    }
    assertWaitsSeldom(all, tree -> tree.from(new byte[0]));
  }

  @Test
  void aWalkDownwardsWaitsOnceForManyPages() {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      all.add(i);
    }
    Collections.reverse(all);
    assertWaitsSeldom(all, tree -> tree.below(key(KEYS)));
  }

  @Test
  void whoLooksAtOnePlaceIsToldOfOnePage() {
    for (int at = 0; at < KEYS; at++) {
      Tree cold = new Tree(config, 5, root, cache);
      byte[] key = key(at);
      while (true) {
        try {
          assertTrue(cold.from(key).next());
          break;
        } catch (PageMissing missing) {
          assertEquals(List.of(missing.page()), missing.pages());
          store.load(missing.page());
        }
      }
    }
  }

  @Test
  void twoThatAreMissingAreNamedTogetherAndOnce() {
    Tree cold = new Tree(config, 5, root, cache);
    store.load(assertThrows(PageMissing.class, () -> cold.get(key(0))).page());
    PageMissing first = assertThrows(PageMissing.class, () -> cold.get(key(0)));
    PageMissing last = assertThrows(PageMissing.class, () -> cold.get(key(KEYS - 1)));
    PageMissing both = first.with(last).with(first).with(last);
    assertEquals(List.of(first.page(), last.page()), both.pages());
    assertEquals(first.page(), both.page());
  }

  private void assertWaitsSeldom(List<Integer> expected, Function<Tree, Cursor> begin) {
    Tree readOneByOne = new Tree(config, 5, root, cache);
    assertEquals(expected, store.reading(() -> walk(begin.apply(readOneByOne))));
    long oneByOne = store.loads();

    int waits = 0;
    Tree tree = new Tree(config, 5, root, cache);
    List<Integer> found = null;
    while (found == null) {
      try {
        found = walk(begin.apply(tree));
      } catch (PageMissing missing) {
        waits++;
        List<PageRef> pages = missing.pages();
        assertEquals(pages.size(), new HashSet<>(pages).size(), "each once");
        pages.forEach(store::load);
      }
    }
    assertEquals(expected, found);
    assertEquals(oneByOne, store.loads() - oneByOne, "no page that the walk does not need");
    assertTrue(waits * 3L < oneByOne, waits + " waits for " + oneByOne + " pages");
  }

  private static List<Integer> walk(Cursor cursor) {
    List<Integer> found = new ArrayList<>();
    while (cursor.next()) {
      found.add(ByteBuffer.wrap(cursor.key()).getInt());
    }
    return found;
  }

  private PageRef written() {
    Tree tree = new Tree(config, 5, null, cache);
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), new byte[] {1});
    }
    Frozen frozen = tree.freeze(1);
    store.persist(frozen);
    ByteBuffer encoded = ByteBuffer.allocate(PageRef.ENCODED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(frozen.root(), encoded);
    PageRef decoded = PageRef.decode(encoded.flip());
    if (decoded == null) {
      throw new IllegalStateException("an empty tree");
    }
    return decoded;
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
