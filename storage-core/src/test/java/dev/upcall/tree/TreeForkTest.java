package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Extent trees: a private copy is changed, written and named by a commit, or given up. */
class TreeForkTest {
  private final TreeConfig config = TreeConfig.ofFanOut(3, 4);
  private final PageStore store = new PageStore(config);
  private final List<Long> replaced = new ArrayList<>();
  private final PageCache cache = new PageCache(1 << 20, page -> replaced.add(page.addressA()));

  @Test
  void changesOfAForkDoNotReachTheTree() {
    Tree tree = written(500);
    List<Long> replacedByFork = new ArrayList<>();
    Tree fork = tree.fork(cache.withReplaced(page -> replacedByFork.add(page.addressA())));
    for (long i = 0; i < 500; i += 7) {
      fork.put(key(i), new byte[] {9});
    }
    assertEquals(0, tree.dirtyPages());
    assertArrayEquals(new byte[] {1}, tree.get(key(7)));
    assertArrayEquals(new byte[] {9}, fork.get(key(7)));
    assertEquals(0, replaced.size());

    Set<Long> before = addresses(tree);
    Frozen frozen = fork.freeze(2);
    store.persist(frozen);
    Set<Long> after = addresses(fork);
    assertEquals(0, fork.dirtyPages());
    before.removeAll(after);
    assertEquals(before, new HashSet<>(replacedByFork), "what only the old tree has was reported");

    Tree reopened = new Tree(config, 5, decoded(frozen.root()), cache);
    assertArrayEquals(new byte[] {9}, store.reading(() -> reopened.get(key(7))));
    assertArrayEquals(new byte[] {1}, store.reading(() -> reopened.get(key(8))));
  }

  @Test
  void bothSidesOfAForkMayGoOn() {
    Tree tree = written(100);
    Tree fork = tree.fork(cache.withReplaced(page -> {}));
    fork.put(key(1), new byte[] {2});
    tree.put(key(1), new byte[] {3});
    fork.remove(key(2));
    assertArrayEquals(new byte[] {2}, fork.get(key(1)));
    assertArrayEquals(new byte[] {3}, tree.get(key(1)));
    assertNull(fork.get(key(2)));
    assertArrayEquals(new byte[] {1}, tree.get(key(2)));
  }

  @Test
  void aTreeWithDirtyPagesHasNoForks() {
    Tree tree = new Tree(config, 5, null, cache);
    tree.put(key(1), new byte[0]);
    assertThrows(Invariants.Violation.class, () -> tree.fork(cache));
    assertThrows(Invariants.Violation.class, tree::walk);
  }

  @Test
  void aDroppedTreeIsWalkedInSteps() {
    Tree tree = written(300);
    Set<Long> whole = addresses(tree);
    Tree cold = new Tree(config, 5, decoded(tree.root()), cache);
    PageWalk walk = cold.walk();
    Set<Long> found = new HashSet<>();
    int missed = 0;
    while (true) {
      try {
        PageRef ref = walk.next();
        if (ref == null) {
          break;
        }
        assertTrue(found.add(ref.addressA()), "named twice");
        if (ref.level() == 0) {
          assertTrue(!ref.isResident(), "leaves are not loaded");
        }
      } catch (PageMissing missing) {
        missed++;
        store.load(missing.page());
      }
    }
    assertEquals(whole, found);
    assertTrue(missed > 10 && missed < found.size());
  }

  private Tree written(long entries) {
    Tree tree = new Tree(config, 5, null, cache);
    for (long i = 0; i < entries; i++) {
      tree.put(key(i), new byte[] {1});
    }
    store.persist(tree.freeze(1));
    return tree;
  }

  private Set<Long> addresses(Tree tree) {
    Set<Long> found = new HashSet<>();
    PageWalk walk = tree.walk();
    for (PageRef ref = walk.next(); ref != null; ref = walk.next()) {
      found.add(ref.addressA());
    }
    return found;
  }

  private static PageRef decoded(PageRef ref) {
    ByteBuffer buffer = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(ref, buffer);
    PageRef copy = PageRef.decode(buffer.flip());
    assertTrue(copy.samePageAs(ref));
    return copy;
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
