package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A tree by position against a list of what is at each one. */
class PositionTreeTest {
  private static final int ID = 17;

  private final List<Long> replaced = new ArrayList<>();

  /** Numbers, one for each position. */
  private static final class Model {
    private final List<Long> numbers = new ArrayList<>();

    void insert(int position, int length, long number) {
      List<Long> run = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        run.add(number + i);
      }
      numbers.addAll(position, run);
    }

    void remove(int position, int length) {
      numbers.subList(position, position + length).clear();
    }
  }

  @Test
  void anyChangesMakeWhatAListHas() {
    for (int seed = 1; seed <= 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TreeConfig config = TreeConfig.ofFanOut(seed, seed % 3 == 0 ? 1024 : 4 + seed % 5);
      PageStore store = new PageStore(config);
      PageCache cache = new PageCache(1 << 20, page -> {});
      Model model = new Model();
      PositionTree tree = new PositionTree(config, ID, PositionTree.Root.EMPTY, cache);
      long next = 0;
      for (int i = 0; i < 250; i++) {
        int size = model.numbers.size();
        if (size == 0 || random.nextInt(5) < 3) {
          int length = 1 + random.nextInt(20);
          int position = random.nextInt(size + 1);
          insert(store, tree, position, length, next);
          model.insert(position, length, next);
          next += length + random.nextInt(2);
        } else {
          int position = random.nextInt(size);
          int length = 1 + random.nextInt(random.nextInt(4) == 0 ? size - position : 1);
          remove(store, tree, position, length);
          model.remove(position, length);
        }
        if (random.nextInt(30) == 0) {
          tree = reopened(config, store, cache, tree);
        }
      }
      same(store, tree, model);
      checked(config, store, reopened(config, store, cache, tree).root(), model);
    }
  }

  private static void insert(
      PageStore store, PositionTree tree, long position, long length, long number) {
    store.reading(
        () -> {
          tree.insert(position, length, number);
          return tree;
        });
  }

  private static void remove(PageStore store, PositionTree tree, long position, long length) {
    for (long left = length; left > 0; ) {
      long most = left;
      left -= store.reading(() -> tree.remove(position, most));
    }
  }

  /** Written, and opened again with nothing in memory. */
  private static PositionTree reopened(
      TreeConfig config, PageStore store, PageCache cache, PositionTree tree) {
    store.persist(tree.freeze(0));
    assertEquals(0, tree.dirtyPages());
    PositionTree.Root root = tree.root();
    PageRef page = root.page();
    PageRef cold = page == null ? null : decoded(page);
    return new PositionTree(
        config, ID, new PositionTree.Root(cold, root.length(), root.runs()), cache);
  }

  private static PageRef decoded(PageRef ref) {
    ByteBuffer to = ByteBuffer.allocate(PageRef.ENCODED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(ref, to);
    PageRef read = PageRef.decode(to.flip());
    if (read == null) {
      throw new IllegalStateException("no pointer: " + ref);
    }
    return read;
  }

  private static void same(PageStore store, PositionTree tree, Model model) {
    assertEquals(model.numbers.size(), tree.root().length());
    for (int at = 0; at < model.numbers.size(); ) {
      long position = at;
      PositionTree.Spot spot = store.reading(() -> tree.find(position));
      assertTrue(spot.left() > 0);
      for (int i = 0; i < spot.left(); i++) {
        assertEquals(model.numbers.get(at + i), spot.number() + i);
      }
      at += (int) spot.left();
    }
  }

  private static void checked(
      TreeConfig config, PageStore store, PositionTree.Root root, Model model) {
    PageRef page = root.page();
    if (page == null) {
      assertEquals(0, model.numbers.size());
      return;
    }
    long[] ended = {-1};
    List<Long> found = new ArrayList<>();
    PositionCheck check =
        new PositionCheck(
            config,
            ID,
            page,
            root.length(),
            new PositionCheck.Visitor() {
              private final Set<Long> blocks = new HashSet<>();

              @Override
              public boolean claim(long block) {
                return blocks.add(block);
              }

              @Override
              public boolean wants(PageRef page, long behind) {
                return true;
              }

              @Override
              public void run(long position, long length, long number) {
                assertEquals(found.size(), position);
                for (long i = 0; i < length; i++) {
                  found.add(number + i);
                }
              }

              @Override
              public void end(long runs) {
                ended[0] = runs;
              }
            });
    for (long block = check.nextBlock(); block != PagesCheck.END; block = check.nextBlock()) {
      check.accept(ByteBuffer.wrap(store.block(block)));
    }
    assertEquals(List.of(), check.problems());
    assertEquals(root.runs(), ended[0]);
    assertEquals(model.numbers, found);
  }

  /** What makes it worth having: an insert in a large tree writes one page a level, and splits. */
  @Test
  void anInsertWritesFewPagesHoweverManyRunsThereAre() {
    TreeConfig config = TreeConfig.standard(1);
    PageStore store = new PageStore(config);
    PageCache cache = new PageCache(1 << 24, page -> replaced.add(page.addressA()));
    PositionTree tree = new PositionTree(config, ID, PositionTree.Root.EMPTY, cache);
    for (long i = 0; i < 50_000; i++) {
      tree.insert(10 * i, 10, 20 * i);
    }
    store.persist(tree.freeze(0));
    assertEquals(50_000, tree.root().runs());
    assertTrue(store.usedBlocks() < 2 * 290, "pages filled in order are full");
    tree.insert(123_456, 7, 9_000_000);
    assertTrue(tree.dirtyPages() <= 5, "pages of one insert: " + tree.dirtyPages());
    assertEquals(new PositionTree.Spot(9_000_000, 7, 0), tree.find(123_456));
    assertEquals(new PositionTree.Spot(20 * 12_345 + 6, 4, 0), tree.find(123_463));
    assertEquals(new PositionTree.Spot(20 * 49_999 + 9, 1, 9), tree.find(500_006));
    assertFalse(replaced.isEmpty());
    assertThrows(IndexOutOfBoundsException.class, () -> tree.find(500_007));
  }

  @Test
  void aRunTakesLittleMemory() {
    TreeConfig config = TreeConfig.standard(1);
    PageStore store = new PageStore(config);
    PageCache cache = new PageCache(1 << 24, page -> {});
    PositionTree tree = new PositionTree(config, ID, PositionTree.Root.EMPTY, cache);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      tree.insert(10L * random.nextInt(i + 1), 10, 20L * i);
    }
    store.persist(tree.freeze(0));
    assertTrue(cache.residentBytes() <= 64 * 10_000, "bytes: " + cache.residentBytes());
  }

  @Test
  void runsThatGoOnInEachOtherBecomeOne() {
    TreeConfig config = TreeConfig.ofFanOut(1, 4);
    PageCache cache = new PageCache(1 << 20, page -> {});
    PositionTree tree = new PositionTree(config, ID, PositionTree.Root.EMPTY, cache);
    tree.insert(0, 100, 0);
    tree.insert(50, 5, 1000);
    assertEquals(3, tree.root().runs());
    assertEquals(5, tree.remove(50, 5));
    assertEquals(1, tree.root().runs());
    assertEquals(100, tree.remove(0, 100));
    assertEquals(PositionTree.Root.EMPTY, tree.root());
  }

  @Test
  void formIsFixed() {
    TreeConfig config = new TreeConfig(0x1122334455667788L, 512, 4, 4, 10, 20);
    PageStore store = new PageStore(config);
    PageCache cache = new PageCache(1 << 20, page -> {});
    PositionTree tree = new PositionTree(config, ID, PositionTree.Root.EMPTY, cache);
    for (int i = 0; i < 6; i++) {
      tree.insert(1000L * i, 1000, 0x10000L * (i + 1));
    }
    store.persist(tree.freeze(0));
    Golden.check("map-leaf", store.block(1));
    Golden.check("map-inner", store.block(5));
  }

  /** A page with a good checksum and other keys than positions is none of such a tree. */
  @Test
  void pagesWithOtherKeysAreRefused() {
    TreeConfig config = TreeConfig.ofFanOut(1, 4);
    PageStore store = new PageStore(config);
    PageCache cache = new PageCache(1 << 20, page -> {});
    byte[][] keys = {{1, 2, 3}, {0, 0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 0}};
    byte[][] values = {new byte[8], new byte[8], new byte[7]};
    for (int i = 0; i < keys.length; i++) {
      Tree tree = new Tree(config, ID, null, cache);
      tree.put(keys[i], values[i]);
      store.persist(tree.freeze(0));
      PageRef page = tree.root();
      assertTrue(page != null);
      PageRef bound = PositionTree.bound(config, ID, decoded(page), cache);
      PageLoad load = bound.load(ByteBuffer.wrap(store.block(page.addressA())));
      assertTrue(load instanceof PageLoad.Mismatch, load::toString);
    }
  }
}
