package dev.upcall.space;

import java.util.Arrays;

/**
 * An ordered set of pairs of numbers, by the first and then by the second. Sorted leaves of
 * primitive arrays under one array of leaves: 16 bytes a pair and a fill of a half or more, and a
 * million pairs are found in two binary searches.
 *
 * <p>A position is valid until the next change.
 */
final class PairSet {
  static final long NONE = -1;
  private static final int LEAF_PAIRS = 128;

  private static final class Leaf {
    final long[] firsts = new long[LEAF_PAIRS];
    final long[] seconds = new long[LEAF_PAIRS];
    int count;

    /** The largest second, or -1 if it must be looked for. */
    long largestSecond = -1;

    /** The first slot whose pair is not below the given one. */
    int lowerBound(long first, long second) {
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (below(firsts[middle], seconds[middle], first, second)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    void insert(int slot, long first, long second) {
      System.arraycopy(firsts, slot, firsts, slot + 1, count - slot);
      System.arraycopy(seconds, slot, seconds, slot + 1, count - slot);
      firsts[slot] = first;
      seconds[slot] = second;
      count++;
      largestSecond = -1;
    }

    void remove(int slot) {
      System.arraycopy(firsts, slot + 1, firsts, slot, count - slot - 1);
      System.arraycopy(seconds, slot + 1, seconds, slot, count - slot - 1);
      count--;
      largestSecond = -1;
    }

    Leaf splitOffUpperHalf() {
      Leaf upper = new Leaf();
      int half = count / 2;
      upper.count = count - half;
      System.arraycopy(firsts, half, upper.firsts, 0, upper.count);
      System.arraycopy(seconds, half, upper.seconds, 0, upper.count);
      count = half;
      largestSecond = -1;
      return upper;
    }

    void appendAll(Leaf upper) {
      System.arraycopy(upper.firsts, 0, firsts, count, upper.count);
      System.arraycopy(upper.seconds, 0, seconds, count, upper.count);
      count += upper.count;
      largestSecond = -1;
    }

    long largestSecond() {
      if (largestSecond < 0) {
        for (int i = 0; i < count; i++) {
          largestSecond = Math.max(largestSecond, seconds[i]);
        }
      }
      return largestSecond;
    }
  }

  private Leaf[] leaves = {new Leaf()};
  private int leafCount = 1;
  private int size;

  private static boolean below(long aFirst, long aSecond, long bFirst, long bSecond) {
    return aFirst != bFirst ? aFirst < bFirst : aSecond < bSecond;
  }

  private static long position(int leaf, int slot) {
    return (long) leaf << 32 | slot;
  }

  private Leaf leafAt(long position) {
    return leaves[(int) (position >>> 32)];
  }

  long first(long position) {
    return leafAt(position).firsts[(int) position];
  }

  long second(long position) {
    return leafAt(position).seconds[(int) position];
  }

  /** The last leaf that begins at or below a pair, or the first of all. */
  private int leafFor(long first, long second) {
    int low = 1;
    int high = leafCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      Leaf leaf = leaves[middle];
      if (below(first, second, leaf.firsts[0], leaf.seconds[0])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low - 1;
  }

  /** The first pair at or above the given one, or {@link #NONE}. */
  long ceiling(long first, long second) {
    int leaf = leafFor(first, second);
    int slot = leaves[leaf].lowerBound(first, second);
    if (slot < leaves[leaf].count) {
      return position(leaf, slot);
    }
    return leaf + 1 < leafCount ? position(leaf + 1, 0) : NONE;
  }

  /** The last pair below the given one, or {@link #NONE}. */
  long lower(long first, long second) {
    int leaf = leafFor(first, second);
    int slot = leaves[leaf].lowerBound(first, second);
    if (slot > 0) {
      return position(leaf, slot - 1);
    }
    return leaf > 0 ? position(leaf - 1, leaves[leaf - 1].count - 1) : NONE;
  }

  /** The pair behind a position, or {@link #NONE}. */
  long next(long position) {
    int leaf = (int) (position >>> 32);
    int slot = (int) position + 1;
    if (slot < leaves[leaf].count) {
      return position(leaf, slot);
    }
    return leaf + 1 < leafCount ? position(leaf + 1, 0) : NONE;
  }

  /** The first pair, or {@link #NONE}. */
  long start() {
    return size == 0 ? NONE : 0;
  }

  /** The last pair, or {@link #NONE}. */
  long end() {
    return size == 0 ? NONE : position(leafCount - 1, leaves[leafCount - 1].count - 1);
  }

  /** The first pair at or behind a position whose second is at least so large, or {@link #NONE}. */
  long firstWithSecond(long from, long atLeast) {
    if (from == NONE) {
      return NONE;
    }
    int slot = (int) from;
    for (int leaf = (int) (from >>> 32); leaf < leafCount; leaf++) {
      Leaf in = leaves[leaf];
      if (in.largestSecond() >= atLeast) {
        for (; slot < in.count; slot++) {
          if (in.seconds[slot] >= atLeast) {
            return position(leaf, slot);
          }
        }
      }
      slot = 0;
    }
    return NONE;
  }

  /** Adds a pair that is not in the set. */
  void add(long first, long second) {
    int index = leafFor(first, second);
    Leaf leaf = leaves[index];
    if (leaf.count == LEAF_PAIRS) {
      Leaf upper = leaf.splitOffUpperHalf();
      insertLeaf(index + 1, upper);
      if (!below(first, second, upper.firsts[0], upper.seconds[0])) {
        leaf = upper;
      }
    }
    leaf.insert(leaf.lowerBound(first, second), first, second);
    size++;
  }

  /** Removes a pair. Returns false if it is not in the set. */
  boolean remove(long first, long second) {
    int index = leafFor(first, second);
    Leaf leaf = leaves[index];
    int slot = leaf.lowerBound(first, second);
    if (slot == leaf.count || leaf.firsts[slot] != first || leaf.seconds[slot] != second) {
      return false;
    }
    leaf.remove(slot);
    size--;
    if (leaf.count < LEAF_PAIRS / 4 && leafCount > 1) {
      int lower = index > 0 ? index - 1 : 0;
      if (leaves[lower].count + leaves[lower + 1].count <= LEAF_PAIRS * 3 / 4) {
        leaves[lower].appendAll(leaves[lower + 1]);
        removeLeaf(lower + 1);
      } else if (leaf.count == 0) {
        removeLeaf(index);
      }
    }
    return true;
  }

  private void insertLeaf(int index, Leaf leaf) {
    if (leafCount == leaves.length) {
      leaves = Arrays.copyOf(leaves, leafCount * 2);
    }
    System.arraycopy(leaves, index, leaves, index + 1, leafCount - index);
    leaves[index] = leaf;
    leafCount++;
  }

  private void removeLeaf(int index) {
    leafCount--;
    System.arraycopy(leaves, index + 1, leaves, index, leafCount - index);
    leaves[leafCount] = leaves[leafCount - 1];
  }
}
