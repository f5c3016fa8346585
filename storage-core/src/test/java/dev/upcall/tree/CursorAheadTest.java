package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
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
  void aWalkToABoundNeedsNoPageWithoutAWantedEntry() {
    for (int first = 0; first < KEYS; first += 3) {
      for (int end = first + 1; end <= Math.min(KEYS, first + 40); end += 13) {
        List<Integer> wanted = IntStream.range(first, end).boxed().toList();
        byte[] from = key(first);
        byte[] to = lowKey(end);
        assertNeedsOnly(wanted, tree -> bounded(tree.from(from), to));
        assertNeedsOnly(wanted, tree -> bounded(tree.below(to), from));
      }
    }
  }

  private static Cursor bounded(Cursor cursor, byte[] bound) {
    cursor.to(bound);
    return cursor;
  }

  /** Cut short, as those of pages are. */
  private static byte[] lowKey(int number) {
    byte[] key = key(number);
    int length = key.length;
    while (key[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(key, length);
  }

  private void assertNeedsOnly(List<Integer> wanted, Function<Tree, Cursor> begin) {
    Tree tree = new Tree(config, 5, root, cache);
    List<Integer> found = null;
    while (found == null) {
      try {
        found = walk(begin.apply(tree));
      } catch (PageMissing missing) {
        for (PageRef page : missing.pages()) {
          store.load(page);
          assertTrue(
              page.level() > 0
                  || PageLook.entries(page).stream()
                      .anyMatch(entry -> wanted.contains(number(entry.key()))),
              () -> "a page that has none of " + wanted);
        }
      }
    }
    assertEquals(wanted, found.stream().filter(wanted::contains).sorted().toList());
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
      found.add(number(cursor.key()));
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

  private static int number(byte[] key) {
    return ByteBuffer.wrap(key).getInt();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
