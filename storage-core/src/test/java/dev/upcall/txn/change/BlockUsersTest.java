package dev.upcall.txn.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.SharedRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Counting users of blocks, against somebody who counts each block. */
class BlockUsersTest {
  private static final int BLOCKS = 200;

  private final TreeMap<byte[], byte[]> tree = new TreeMap<>(Arrays::compareUnsigned);
  private final int[] naive = new int[BLOCKS + 1];
  private final List<Extent> uses = new ArrayList<>();

  /** The tree of shared blocks and nothing else. */
  private View view() {
    return new View() {
      @Override
      public byte @Nullable [] get(StoreTree id, byte[] key) {
        return tree.get(key);
      }

      @Override
      public Scan from(StoreTree id, byte[] key) {
        assertEquals(StoreTree.SHARED, id);
        Iterator<Map.Entry<byte[], byte[]>> left = tree.tailMap(key).entrySet().iterator();
        return new Scan() {
          private Map.@Nullable Entry<byte[], byte[]> at;

          @Override
          public boolean next() {
            at = left.hasNext() ? left.next() : null;
            return at != null;
          }

          @Override
          public byte[] key() {
            return at.getKey();
          }

          @Override
          public byte[] value() {
            return at.getValue();
          }
        };
      }

      @Override
      public Scan below(StoreTree id, byte[] key) {
        throw new UnsupportedOperationException("nobody goes down this tree");
      }

      @Override
      public @Nullable Inode inode(long id) {
        return null;
      }

      @Override
      public long timeNanos() {
        return 0;
      }

      @Override
      public long scn() {
        return 1;
      }
    };
  }

  @Test
  void countsAreThoseOfTheNaiveModel() {
    for (long seed = 1; seed <= 30; seed++) {
      tree.clear();
      uses.clear();
      Arrays.fill(naive, 0);
      SplittableRandom random = new SplittableRandom(seed);
      for (int change = 0; change < 150; change++) {
        change(random, "seed " + seed + ", change " + change);
      }
    }
  }

  private void change(SplittableRandom random, String where) {
    int[] before = naive.clone();
    BlockUsers users = new BlockUsers(view(), Faults.NONE);
    assertEquals(!tree.isEmpty(), users.isCounting(), where);
    boolean fresh = uses.isEmpty() || random.nextInt(6) == 0;
    if (fresh) {
      allocate(random);
    }
    for (int i = random.nextInt(6); i > 0 && !uses.isEmpty(); i--) {
      step(users, random);
    }
    for (int i = 0; i < 5; i++) {
      int block = random.nextInt(BLOCKS);
      assertEquals(naive[block] > 1, users.isShared(block), where + ", block " + block);
      int end = block + 1 + random.nextInt(BLOCKS - block);
      assertEquals(
          Arrays.stream(naive, block, end).anyMatch(number -> number > 1),
          users.isShared(new Extent(block, end - block)),
          where + ", blocks " + block + " to " + end);
    }
    TreeSet<Long> freed = apply(users);
    for (int block = 0; block < BLOCKS; block++) {
      boolean shouldBeFree = naive[block] == 0 && (before[block] > 0 || wasUsed[block]);
      assertEquals(shouldBeFree, freed.contains((long) block), where + ", block " + block);
      assertEquals(Math.max(1, naive[block]), stored(block), where + ", block " + block);
    }
    Arrays.fill(wasUsed, false);
  }

  private final boolean[] wasUsed = new boolean[BLOCKS + 1];

  /** Blocks that nobody uses get a user: of that nothing has to be said. */
  private void allocate(SplittableRandom random) {
    int from = random.nextInt(BLOCKS);
    int to = from;
    while (to < BLOCKS && naive[to] == 0 && to - from < 20) {
      naive[to] = 1;
      wasUsed[to] = true;
      to++;
    }
    if (to > from) {
      uses.add(new Extent(from, to - from));
    }
  }

  /** Somebody uses a part of what somebody uses, or does not use a part any more. */
  private void step(BlockUsers users, SplittableRandom random) {
    Extent of = uses.get(random.nextInt(uses.size()));
    long from = of.block() + random.nextLong(of.blocks());
    long to = from + 1 + random.nextLong(of.end() - from);
    Extent part = random.nextBoolean() ? of : new Extent(from, to - from);
    if (random.nextBoolean()) {
      users.use(part);
      uses.add(part);
      add(part, 1);
      return;
    }
    users.leave(part);
    uses.remove(of);
    if (part.block() > of.block()) {
      uses.add(new Extent(of.block(), part.block() - of.block()));
    }
    if (part.end() < of.end()) {
      uses.add(new Extent(part.end(), of.end() - part.end()));
    }
    add(part, -1);
  }

  private void add(Extent extent, int by) {
    for (long block = extent.block(); block < extent.end(); block++) {
      naive[(int) block] += by;
    }
  }

  private TreeSet<Long> apply(BlockUsers users) {
    List<Op> ops = new ArrayList<>();
    users.emit(ops);
    TreeSet<Long> freed = new TreeSet<>();
    for (Op op : ops) {
      switch (op) {
        case Op.Put put -> tree.put(put.key(), put.value());
        case Op.Remove remove -> assertTrue(tree.remove(remove.key()) != null);
        case Op.Free free -> {
          for (long block = free.extent().block(); block < free.extent().end(); block++) {
            assertTrue(freed.add(block));
          }
        }
        default -> throw new AssertionError(op.toString());
      }
    }
    return freed;
  }

  private int stored(long block) {
    Map.Entry<byte[], byte[]> entry = tree.ceilingEntry(TreeKeys.of(block));
    if (entry == null) {
      return 1;
    }
    SharedRun run = SharedRun.decode(entry.getKey(), entry.getValue());
    return run.block() <= block ? run.users() : 1;
  }

  @Test
  void nothingSharedNeedsNoCounting() {
    BlockUsers users = new BlockUsers(view(), Faults.NONE);
    assertFalse(users.isCounting());
    assertFalse(users.isShared(7));
    users.use(new Extent(7, 2));
    assertTrue(users.isCounting());
    assertTrue(users.isShared(7));
  }

  @Test
  void leavingMoreOftenThanUsingIsAnError() {
    BlockUsers users = new BlockUsers(view(), Faults.NONE);
    users.leave(new Extent(7, 2));
    users.leave(new Extent(8, 1));
    assertThrows(IllegalStateException.class, () -> users.emit(new ArrayList<>()));
  }

  @Test
  void neighboursWithTheSameNumberAreOneRun() {
    BlockUsers users = new BlockUsers(view(), Faults.NONE);
    users.use(new Extent(10, 5));
    users.use(new Extent(15, 5));
    apply(users);
    assertEquals(1, tree.size());
    assertEquals(2, stored(10));
    assertEquals(2, stored(19));
    assertEquals(1, stored(20));
  }
}
