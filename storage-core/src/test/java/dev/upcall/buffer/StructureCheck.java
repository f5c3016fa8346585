package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Walks all frames of a buffer manager and compares them with index, memory and counters. */
final class StructureCheck {
  private StructureCheck() {}

  static void check(BufferManager buffers) {
    FrameCache cache = buffers.cache();
    SlabMemory memory = buffers.memory();
    int used = 0;
    int busy = 0;
    int found = 0;
    int unpublished = 0;
    int pages = (int) (memory.allocatedBytes() / dev.upcall.io.Disk.BLOCK_BYTES);
    int page = 0;
    while (page < pages) {
      Frame frame = cache.frameAt(page);
      if (frame == null || frame.is(Frame.State.FREE)) {
        assertTrue(!memory.isUsed(page) && !memory.isBusy(page), "free page " + page);
        page++;
        continue;
      }
      used += frame.blocks();
      boolean pinned = frame.pins() > 0;
      busy += pinned ? frame.blocks() : 0;
      for (int i = 0; i < frame.blocks(); i++) {
        assertTrue(memory.isUsed(page + i), "unused page of " + frame);
        assertEquals(pinned, memory.isBusy(page + i), "busy page of " + frame);
        if (frame.is(Frame.State.LOADING) || frame.is(Frame.State.VALID)) {
          assertSame(frame, cache.find(frame.firstBlock() + i), "index of " + frame);
          found++;
        }
      }
      assertTrue(pinned || frame.is(Frame.State.VALID), "nobody holds " + frame);
      unpublished += frame.is(Frame.State.PRIVATE) ? frame.blocks() : 0;
      page += frame.blocks();
    }
    assertEquals(used, memory.usedBlocks(), "used blocks");
    assertEquals(busy, memory.busyBlocks(), "busy blocks");
    assertEquals(found, cache.indexedBlocks(), "indexed blocks");
    assertEquals(unpublished, cache.privateBlocks(), "private blocks");
  }
}
