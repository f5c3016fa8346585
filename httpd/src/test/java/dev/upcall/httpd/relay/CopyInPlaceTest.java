package dev.upcall.httpd.relay;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Slices;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CopyInPlaceTest {
  private static final int BYTES = 100;

  private final FirstSlices places = new FirstSlices(2);

  /** What a copy's memory holds, with nothing behind it that must be given back. */
  private record InMemory(ByteBuffer memory) implements PinnedContent {
    @Override
    public Inode inode() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ContentSlice tryRead(long offset, int maxBytes) {
      return Slices.unpinned(memory.slice((int) offset, Math.min(maxBytes, BYTES)));
    }

    @Override
    public void read(
        long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private CopyInPlace copied(ByteBuffer memory) {
    return new CopyInPlace(new InMemory(memory), memory, places);
  }

  @Test
  void memoryIsUsedAgainWhenAllThatWasReadIsReleased() {
    assertTrue(places.take());
    ByteBuffer memory = places.memory();
    CopyInPlace copy = copied(memory);
    ContentSlice first = copy.tryRead(0, 10);
    ContentSlice second = copy.tryRead(10, BYTES);
    first.release();
    copy.close();
    assertNotSame(memory, places.memory(), "a part of it is still being sent");
    second.release();
    assertSame(memory, places.memory());
  }

  @Test
  void aPlaceIsTakenUntilThen() {
    assertTrue(places.take());
    assertTrue(places.take());
    assertFalse(places.take());
    CopyInPlace copy = copied(places.memory());
    ContentSlice slice = copy.tryRead(0, BYTES);
    copy.close();
    assertFalse(places.take());
    slice.release();
    assertTrue(places.take());
  }

  @Test
  void whoReadsNothingGivesItBackByClosing() {
    assertTrue(places.take());
    ByteBuffer memory = places.memory();
    CopyInPlace copy = copied(memory);
    copy.close();
    copy.close();
    assertSame(memory, places.memory());
    assertTrue(places.take());
    assertTrue(places.take());
    assertFalse(places.take(), "not twice");
  }
}
