package dev.upcall.bench.proxy.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where segments lie, byte by byte. */
class PackingTest {
  private static final int PAGE = Segments.PAGE_BYTES;
  private static final int UNIT = 512;

  @Test
  void classes_areTheSmallestSegmentThatHoldsAnObject() {
    assertEquals(0, Segments.classOf(1));
    assertEquals(0, Segments.classOf(512));
    assertEquals(1, Segments.classOf(513));
    assertEquals(3, Segments.classOf(4_096));
    assertEquals(4, Segments.classOf(4_097));
    assertEquals(4, Segments.classOf(8_192));
    assertThrows(IllegalArgumentException.class, () -> Segments.classOf(8_193));
  }

  /** The paper's figure 3, followed by hand: a page is split, its pieces are used before others. */
  @Test
  void aligned_splitsAPageAsTheFigureDoes() {
    Packing.Aligned packing = new Packing.Aligned(Packing.ENDLESS);
    assertEquals(0, packing.place(0), "the first page is split down to 512 bytes");
    assertEquals(512, packing.freePiece(0));
    assertEquals(1_024, packing.freePiece(1));
    assertEquals(2_048, packing.freePiece(2));
    assertEquals(4_096, packing.freePiece(3));
    assertEquals(PAGE, packing.endBytes());
    assertEquals(2_048, packing.place(2), "the piece of its own class");
    assertEquals(4_096, packing.place(2), "the next larger one is split");
    assertEquals(4_096 + 2_048, packing.freePiece(2));
    assertEquals(0, packing.freePiece(3), "it is gone");
    assertEquals(PAGE, packing.place(3), "nothing large enough is left: a new page");
    assertEquals(PAGE + 4_096, packing.freePiece(3));
    assertEquals(2L * PAGE, packing.place(4), "a whole page leaves pieces alone");
    assertEquals(512, packing.place(0));
    assertEquals(1_024, packing.place(0));
    assertEquals(1_536, packing.place(0));
    assertEquals(4_096 + 2_048, packing.place(0), "the smallest piece that is large enough");
  }

  /** Offset 0 stands for no piece, and is none: page 0 is handed out as a whole before. */
  @Test
  void aligned_neverHandsOutOffsetZeroTwice() {
    Packing.Aligned packing = new Packing.Aligned(Packing.ENDLESS);
    assertEquals(0, packing.place(4));
    for (int segmentClass = 0; segmentClass < Segments.CLASSES; segmentClass++) {
      assertTrue(packing.place(segmentClass) >= PAGE);
    }
  }

  @Test
  void aligned_agreesWithAPlainMapOfBytes() {
    SplittableRandom random = new SplittableRandom(7);
    Packing.Aligned packing = new Packing.Aligned(Packing.ENDLESS);
    BitSet used = new BitSet();
    for (int i = 0; i < 2_000; i++) {
      int segmentClass = random.nextInt(Segments.CLASSES);
      int end = (int) (packing.endBytes() / UNIT);
      int expected = firstFree(used, end, segmentClass);
      long offset = packing.place(segmentClass);
      assertEquals((long) expected * UNIT, offset, "object " + i);
      int units = 1 << segmentClass;
      int first = (int) (offset / UNIT);
      assertTrue(used.get(first, first + units).isEmpty(), "nothing else lies there");
      used.set(first, first + units);
      assertEquals(offset / PAGE, (offset + Segments.bytes(segmentClass) - 1) / PAGE);
      assertPieces(packing, used);
    }
  }

  /** The free block, aligned to its size, of the smallest size that is enough; else the end. */
  private static int firstFree(BitSet used, int end, int segmentClass) {
    for (int size = 1 << segmentClass; size < PAGE / UNIT; size *= 2) {
      for (int at = 0; at < end; at += size) {
        int wider = at / (2 * size) * 2 * size;
        boolean isFree = used.get(at, at + size).isEmpty();
        if (isFree && !used.get(wider, wider + 2 * size).isEmpty()) {
          return at;
        }
      }
    }
    return end;
  }

  /** At most one free piece of each class; what they hold is all that is free. */
  private static void assertPieces(Packing.Aligned packing, BitSet used) {
    long free = 0;
    for (int segmentClass = 0; segmentClass < Segments.PAGE_CLASS; segmentClass++) {
      free += packing.freePiece(segmentClass) > 0 ? Segments.bytes(segmentClass) : 0;
    }
    assertEquals(packing.endBytes() - (long) used.cardinality() * UNIT, free);
  }

  @Test
  void aligned_saysWhenTheFileIsFull() {
    Packing.Aligned packing = new Packing.Aligned(2L * PAGE);
    assertEquals(0, packing.place(4));
    assertEquals(PAGE, packing.place(3));
    assertEquals(Packing.FULL, packing.place(4));
    assertEquals(PAGE + 4_096, packing.place(2), "a piece is left");
    assertEquals(Packing.FULL, packing.place(3));
    assertEquals(PAGE + 6_144, packing.place(2));
    assertEquals(Packing.FULL, packing.place(0));
  }

  @Test
  void plain_packsOneBehindTheOther() {
    Packing.Plain packing = new Packing.Plain();
    assertEquals(0, packing.place(0));
    assertEquals(512, packing.place(4));
    assertEquals(512 + 8_192, packing.place(1));
    assertTrue(Packing.Plain.crosses(512, 4));
    assertFalse(Packing.Plain.crosses(0, 4));
    assertFalse(Packing.Plain.crosses(7_168, 1));
  }
}
