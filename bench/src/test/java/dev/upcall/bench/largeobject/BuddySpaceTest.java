package dev.upcall.bench.largeobject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BuddySpaceTest {
  private static final int OPERATIONS = 1_000_000;
  private static final int WHOLE_CHECKS = 200;

  private record Given(int start, int pages) {}

  private final BuddySpace space = new BuddySpace();
  private final BitSet used = new BitSet(BuddySpace.PAGES);
  private final List<Given> given = new ArrayList<>();
  private int refused;

  @Test
  void aMillionOperationsAgreeWithABitMap() {
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 1; i <= OPERATIONS; i++) {
      // Grows and shrinks in turn, so that both an empty and a full space are met.
      boolean grows = random.nextInt(100) < ((i / 20_000) % 2 == 0 ? 58 : 42);
      if (grows || given.isEmpty()) {
        allocate(1 + random.nextInt(1 << random.nextInt(11)));
      } else {
        free(random);
      }
      assertEquals(BuddySpace.PAGES - used.cardinality(), space.freePages());
      if (i % (OPERATIONS / WHOLE_CHECKS) == 0) {
        checkWhole();
      }
    }
    assertTrue(refused > 1000, "a full space was met " + refused + " times");
  }

  private void allocate(int pages) {
    int start = space.allocate(pages);
    if (start < 0) {
      refused++;
      assertTrue(BuddySpace.orderOf(pages) > space.largestOrder());
      return;
    }
    int next = used.nextSetBit(start);
    assertTrue(next < 0 || next >= start + pages, "given out twice");
    assertTrue(start + pages <= BuddySpace.PAGES);
    used.set(start, start + pages);
    given.add(new Given(start, pages));
  }

  /** All of an allocation, or a part of it. */
  private void free(SplittableRandom random) {
    int index = random.nextInt(given.size());
    Given one = given.get(index);
    Given last = given.removeLast();
    if (index < given.size()) {
      given.set(index, last);
    }
    int first = random.nextInt(3) == 0 ? random.nextInt(one.pages) : 0;
    space.free(one.start + first, one.pages - first);
    used.clear(one.start + first, one.start + one.pages);
    if (first > 0) {
      given.add(new Given(one.start, first));
    }
  }

  private void checkWhole() {
    BitSet free = new BitSet(BuddySpace.PAGES);
    for (int order = 0; order <= BuddySpace.TOP_ORDER; order++) {
      int pages = 1 << order;
      for (int start = 0; start < BuddySpace.PAGES; start += pages) {
        if (space.isFree(start, order)) {
          int next = free.nextSetBit(start);
          assertTrue(next < 0 || next >= start + pages, "in two lists");
          free.set(start, start + pages);
          assertFalse(
              order < BuddySpace.TOP_ORDER && space.isFree(start ^ pages, order),
              "two buddies are free beside each other");
        }
      }
    }
    free.flip(0, BuddySpace.PAGES);
    assertEquals(used, free);
  }

  @Test
  void allOfItComesTogetherAgain() {
    int first = space.allocate(5);
    int second = space.allocate(1 << 13);
    assertEquals(0, first % 8);
    space.free(second, 1 << 13);
    space.free(first + 3, 2);
    space.free(first, 3);
    assertEquals(BuddySpace.TOP_ORDER, space.largestOrder());
  }

  @Test
  void aFullSpaceIsFollowedByAnother() {
    BuddySpaces spaces = new BuddySpaces();
    int first = spaces.allocate(1 << 13);
    int second = spaces.allocate(1 << 13);
    int third = spaces.allocate(1);
    assertEquals(BuddySpace.PAGES, third);
    assertEquals((1L << 14) + 1, spaces.usedPages());
    spaces.free(second, 1 << 13);
    assertEquals(second, spaces.allocate(100), "what came back is used before more");
    assertEquals(0, first);
  }
}
