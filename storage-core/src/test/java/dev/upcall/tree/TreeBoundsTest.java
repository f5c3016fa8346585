package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What a tree costs: dirty pages at the most, heap, pages on disk. */
class TreeBoundsTest {
  private static final int[] FAN_OUTS = {4, 5, 6, 9, 11, 20, 1024};

  private static PageCache unbounded() {
    return new PageCache(Long.MAX_VALUE, page -> {});
  }

  /** The promise on which the reservation of checkpoint space stands. */
  @Property(tries = 200)
  void changesNeverMakeMoreDirtyPagesThanPromised(
      @ForAll @IntRange(min = 0, max = 6) int geometry,
      @ForAll @IntRange(min = 0, max = 1500) int before,
      @ForAll @IntRange(min = 1, max = 250) int changes,
      @ForAll @IntRange(min = 0, max = 4) int pattern,
      @ForAll boolean longKeys,
      @ForAll long seed) {
    Random random = new Random(seed);
    TreeConfig config = TreeConfig.ofFanOut(1, FAN_OUTS[geometry]);
    Tree tree = new Tree(config, 1, null, unbounded());
    for (int i = 0; i < before; i++) {
      int number = pattern == 4 ? i * 10 : random.nextInt(4000);
      tree.put(key(number, longKeys), new byte[random.nextInt(5) == 0 ? 1200 : 3]);
    }
    if (random.nextBoolean()) {
      new PageStore(config).persist(tree.freeze(1));
    }
    int dirty = tree.dirtyPages();
    int most = 0;
    int[] bounds = new int[changes + 1];
    for (int i = 1; i <= changes; i++) {
      bounds[i] = tree.worstCaseDirtyPages(i);
      assertTrue(bounds[i] >= bounds[i - 1]);
    }
    for (int i = 1; i <= changes; i++) {
      int number =
          switch (pattern) {
            case 0 -> random.nextInt(4000);
            case 1 -> 5000 + i;
            case 2 -> 2000 - i;
            case 3 -> 1000 + random.nextInt(20);
            default -> (i * 37 % 1500) * 10 + 5;
          };
      if (pattern == 3 && random.nextInt(3) > 0) {
        tree.remove(key(number, longKeys));
      } else {
        tree.put(key(number, longKeys), new byte[random.nextInt(3) == 0 ? 1200 : 10]);
      }
      most = Math.max(most, tree.dirtyPages() - dirty);
      assertTrue(most <= bounds[i], "more than promised");
    }
  }

  /** A checkpoint allocates exactly so many. */
  @Property(tries = 100)
  void sizesTellHowManyPagesAFillMakes(
      @ForAll @IntRange(min = 0, max = 6) int geometry,
      @ForAll @IntRange(min = 1, max = 3000) int entries,
      @ForAll boolean longKeys,
      @ForAll long seed) {
    Random random = new Random(seed);
    int fanOut = FAN_OUTS[geometry];
    TreeConfig config = TreeConfig.ofFanOut(1, fanOut);
    Tree tree = new Tree(config, 1, null, unbounded());
    FillCount count = new FillCount(config);
    int number = random.nextInt(3);
    for (int i = 0; i < entries; i++) {
      byte[] value = new byte[random.nextInt(10) == 0 ? 1 + random.nextInt(1200) : 16];
      byte[] key = key(number, longKeys);
      count.add(key, value.length);
      tree.put(key, value);
      assertEquals(tree.dirtyPages(), count.pages(), "after " + i + " of " + fanOut);
      number += 1 + (random.nextInt(20) == 0 ? random.nextInt(1 << 16) : 0);
    }
    assertTrue(tree.height() > (entries > fanOut ? 1 : 0));
  }

  @Test
  void sizesAreOfEntriesInOrder() {
    FillCount count = new FillCount(TreeConfig.standard(1));
    assertEquals(0, count.pages());
    count.add(key(7), 16);
    assertThrows(IllegalStateException.class, () -> count.add(key(7), 16));
    assertEquals(1, count.pages());
  }

  @Test
  void thePromiseIsNotExtravagant() {
    Tree tree = new Tree(TreeConfig.standard(1), 1, null, unbounded());
    for (int i = 0; i < 100_000; i++) {
      tree.put(key(i), new byte[100]);
    }
    assertEquals(3, tree.height());
    assertEquals(7, tree.worstCaseDirtyPages(1));
    assertTrue(tree.worstCaseDirtyPages(1000) < 4 * 1000);
  }

  @Test
  void aNameCostsLittleHeapAndDisk() {
    TreeConfig config = TreeConfig.standard(1);
    PageCache cache = new PageCache(Long.MAX_VALUE, page -> {});
    PageStore store = new PageStore(config);
    Tree tree = new Tree(config, 2, null, cache);
    int names = 100_000;
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < names; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(1));
    for (int i : order) {
      tree.put(name(i), new byte[9]);
    }
    store.persist(tree.freeze(1));
    long bytesEach = cache.residentBytes() / names;
    assertTrue(bytesEach < 100, "heap bytes for a name in random order: " + bytesEach);
    assertTrue(tree.height() <= 4);

    PageCache ordered = new PageCache(Long.MAX_VALUE, page -> {});
    Tree inOrder = new Tree(config, 2, null, ordered);
    for (int i = 0; i < names; i++) {
      inOrder.put(name(i), new byte[9]);
    }
    store.persist(inOrder.freeze(1));
    assertTrue(ordered.residentBytes() < cache.residentBytes() * 3 / 4, "in order fills pages");
  }

  @Test
  void removingEverythingLeavesNothing() {
    for (int fanOut : new int[] {4, 30, 1024}) {
      Tree tree = new Tree(TreeConfig.ofFanOut(1, fanOut), 2, null, unbounded());
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        tree.put(key(i), new byte[i % 50]);
        order.add(i);
      }
      Collections.shuffle(order, new Random(fanOut));
      for (int i = 0; i < order.size(); i++) {
        tree.remove(key(order.get(i)));
        int left = order.size() - i - 1;
        assertTrue(tree.dirtyPages() <= 3 + left * 2, "pages for " + left + " entries");
      }
      assertNull(tree.root());
      assertEquals(0, tree.dirtyPages());
    }
  }

  @Test
  void aVersionStaysAsItWas() {
    TreeConfig config = TreeConfig.ofFanOut(1, 5);
    Tree tree = new Tree(config, 2, null, unbounded());
    List<TreeVersion> states = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      tree.put(key(i), ByteBuffer.allocate(4).putInt(i).array());
      if (i >= 10) {
        tree.remove(key(i - 10));
      }
      states.add(tree.publish());
    }
    for (int i = 0; i < 300; i++) {
      Cursor cursor = states.get(i).from(new byte[0]);
      for (int n = Math.max(0, i - 9); n <= i; n++) {
        assertTrue(cursor.next());
        assertEquals(n, ByteBuffer.wrap(cursor.value()).getInt());
      }
      assertTrue(!cursor.next());
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static byte[] key(int number, boolean padded) {
    byte[] key = key(number);
    return padded ? Arrays.copyOf(key, 4 + number * 31 % 297) : key;
  }

  private static byte[] name(int number) {
    String name = "a-file-name-%06d.html".formatted(number);
    return ByteBuffer.allocate(8 + name.length())
        .putLong(77)
        .put(name.getBytes(StandardCharsets.US_ASCII))
        .array();
  }
}
