package dev.upcall.specweb.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.IntSupplier;

/** Receives into buffers of the size that is expected, so that most responses take one call. */
final class ExpectedBytes extends DefaultMaxMessagesRecvByteBufAllocator {
  private final IntSupplier expected;

  ExpectedBytes(IntSupplier expected) {
    this.expected = expected;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty has no other way to make a handle.
  public Handle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public ByteBuf allocate(ByteBufAllocator allocator) {
        return allocator.directBuffer(guess());
      }

      @Override
      public int guess() {
        return expected.getAsInt();
      }
    };
  }
}
