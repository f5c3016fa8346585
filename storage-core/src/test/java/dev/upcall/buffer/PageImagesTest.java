package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tree pages in the memory of content: found by their block, never in the way of content. */
class PageImagesTest {
  private static final int GROUPS = 2;
  private static final int CAPACITY = GROUPS * BufferConfig.MAX_FRAME_BLOCKS;

  private final BufferWorld world = new BufferWorld(1, GROUPS, 64);
  private final PageImages images = world.buffers.pageImages();

  private static ByteBuffer image(int version) {
    return ByteBuffer.wrap(BufferWorld.content(version, version));
  }

  private void assertKept(long block, int version) {
    ByteBuffer found = ByteBuffer.allocate(Disk.BLOCK_BYTES);
    assertTrue(images.copy(block, found), "image of block " + block);
    assertEquals(image(version), found);
  }

  private boolean isKept(long block) {
    return images.copy(block, ByteBuffer.allocate(Disk.BLOCK_BYTES));
  }

  @Test
  void theNewestImageOfABlockIsFound() {
    assertFalse(isKept(7));
    images.keep(7, image(1));
    images.keep(8, image(2));
    images.keep(7, image(3));
    assertKept(7, 3);
    assertKept(8, 2);
    assertEquals(2 * Disk.BLOCK_BYTES, world.buffers.counters().usedBytes());
  }

  @Test
  void otherThreadsFindImagesOnceTheyWantThem() {
    images.keep(7, image(1));
    assertNull(elsewhere(7));
    world.buffers.shared().wanted();
    images.keep(8, image(2));
    assertArrayEquals(BufferWorld.content(2, 2), elsewhere(8));
    assertNull(images.copyElsewhere(8), "the owner can load it");
    for (int block = 100; block < 100 + 3 * CAPACITY; block++) {
      images.keep(block, image(block));
    }
    assertNull(elsewhere(100));
  }

  private byte @Nullable [] elsewhere(long block) {
    return CompletableFuture.supplyAsync(() -> images.copyElsewhere(block)).join();
  }

  @Test
  void contentOfTheSameBlockIsAnother() {
    images.keep(7, image(1));
    assertNull(world.buffers.pin(7, 1, BufferWorld.OWNER));
    world.buffers.forget(new Extent(0, 64));
    assertKept(7, 1);
  }

  @Test
  void imagesMakeRoomForOthersAndForContent() {
    for (int block = 0; block < 3 * CAPACITY; block++) {
      images.keep(block, image(block));
    }
    assertKept(3 * CAPACITY - 1, 3 * CAPACITY - 1);
    assertFalse(isKept(0));
    Lease lease = world.buffers.tryAllocate(BufferConfig.MAX_FRAME_BLOCKS, BufferWorld.OWNER);
    assertNotNull(lease);
    lease.release();
  }

  @Test
  void whileOthersHoldAllMemory_nothingIsKept() {
    Lease one = world.buffers.tryAllocate(BufferConfig.MAX_FRAME_BLOCKS, BufferWorld.OWNER);
    Lease other = world.buffers.tryAllocate(BufferConfig.MAX_FRAME_BLOCKS, BufferWorld.OWNER);
    assertNotNull(one);
    assertNotNull(other);
    images.keep(7, image(1));
    assertFalse(isKept(7));
    one.release();
    other.release();
    images.keep(7, image(1));
    assertKept(7, 1);
  }
}
