package dev.upcall.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LargePagesTest {
  private static final int BYTES = 2 * LargePages.PAGE_BYTES + Disk.BLOCK_BYTES;

  @Test
  void memoryIsAlignedZeroedAndUsable() {
    ByteBuffer buffer = LargePages.newBuffer(BYTES);
    assertTrue(buffer.isDirect());
    assertEquals(BYTES, buffer.capacity());
    assertEquals(ByteOrder.LITTLE_ENDIAN, buffer.order());
    assertEquals(0, MemorySegment.ofBuffer(buffer).address() % LargePages.PAGE_BYTES);
    assertZero(buffer);
    fill(buffer);
  }

  @Test
  void whatIsGivenBackReadsAsZerosAndCanBeUsedAgain() {
    ByteBuffer buffer = LargePages.newBuffer(BYTES);
    fill(buffer);
    // Both ends lie inside of a page, which others may use, too.
    ByteBuffer part = buffer.slice(1, 3 * Disk.BLOCK_BYTES);
    LargePages.giveBack(part.position(7));
    assertEquals(7, part.position());
    assertEquals(1, buffer.get(0));
    assertEquals(1, buffer.get(Disk.BLOCK_BYTES - 1));
    assertZero(buffer.slice(Disk.BLOCK_BYTES, 2 * Disk.BLOCK_BYTES));
    assertEquals(1, buffer.get(3 * Disk.BLOCK_BYTES));
    fill(buffer);
  }

  private static void fill(ByteBuffer buffer) {
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, (byte) 1);
    }
    byte[] expected = new byte[buffer.capacity()];
    Arrays.fill(expected, (byte) 1);
    assertEquals(ByteBuffer.wrap(expected), buffer.duplicate().clear());
  }

  private static void assertZero(ByteBuffer buffer) {
    assertEquals(ByteBuffer.wrap(new byte[buffer.capacity()]), buffer.duplicate().clear());
  }
}
