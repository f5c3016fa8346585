package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingSlotTest {
  private static DiskRequest read(int blocks) {
    return new DiskRequest.Read(
        0, List.of(Disk.newBuffer(blocks * Disk.BLOCK_BYTES)), IoClass.LOG, done -> {});
  }

  @Test
  void tagsNameTheSlotAndDifferFromUseToUse() {
    for (int index : new int[] {0, 1, 511, VolumeSpec.MAX_IN_FLIGHT - 1}) {
      RingSlot slot = new RingSlot(index, 3);
      int first = slot.tag();
      for (int use = 0; use < 200; use++) {
        int tag = slot.tag();
        assertEquals(index, RingSlot.index(tag));
        assertEquals(tag, tag & RingSlot.TAG_MASK);
        // What Netty carries is a signed short.
        assertEquals(tag, (short) tag & RingSlot.TAG_MASK);
        slot.take(read(1));
        slot.give();
        assertNotEquals(tag, slot.tag());
      }
      assertEquals(RingSlot.index(first), RingSlot.index(slot.tag()));
    }
  }

  @Test
  void onlyWholeBlocksCount() {
    RingSlot slot = new RingSlot(0, 3);
    slot.take(read(4));
    assertFalse(slot.advance(4095));
    assertFalse(slot.advance(4096 + 17));
    assertFalse(slot.advance(2 * 4096));
    assertTrue(slot.advance(4096));
  }
}
