package dev.upcall.httpd.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * One receive for each event of a socket on epoll. Netty reads on and on there once the client has
 * ended its side, all that the kernel holds for the connection, whoever asked for it or not. No
 * more buffers are to be had then: the loop takes that for an error, by which a connection knows it
 * ({@link #isEnough}).
 *
 * @param sizes how large each buffer is
 */
public record OneReceive(RecvByteBufAllocator sizes) implements RecvByteBufAllocator {
  /** Thrown in place of a second buffer; has no trace, since it says nothing of a failure. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Enough() {
      super("one receive an event", null, false, false);
    }
  }

  /** Whether an exception only says that an event has brought its buffer. */
  public static boolean isEnough(Throwable cause) {
    return cause instanceof Enough;
  }

  @Override
  @SuppressWarnings("deprecation") // the interface's own word
  public Handle newHandle() {
    return new One(sizes.newHandle());
  }

  @SuppressWarnings("deprecation") // the interface's own word
  private static final class One extends DelegatingHandle implements ExtendedHandle {
    private boolean taken;

    private One(Handle sizes) {
      super(sizes);
    }

    @Override
    public void reset(ChannelConfig config) {
      taken = false;
      super.reset(config);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator from) {
      if (taken) {
        throw new Enough();
      }
      taken = true;
      return super.allocate(from);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return false;
    }
  }
}
