package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.message.ClientAddress;
import dev.upcall.httpd.socket.OneReceive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection over a channel of Netty's, for where {@link RingConnection} is not possible. It is
 * the only handler of its channel: what Netty reports is noted and an upcall is appended to the
 * dispatcher's FIFO, no more, since no code of the session or the store may run inside the event
 * loop. Dispatcher's thread, which is the event loop's.
 *
 * <p>Each read is asked for by an upcall behind the one that has delivered what the last one
 * brought. Left to itself the event loop reads a socket on and on within one turn, megabytes of it,
 * before the session can say that it wants no more.
 */
public final class NettyConnection extends ChannelInboundHandlerAdapter
    implements SocketConnection, FlushQueue.Entry {
  /** One write on its way, and the upcall for its end. */
  private final class Write implements ChannelFutureListener, Runnable {
    private final int bytes;
    private final @Nullable ContentSlice slice;
    private boolean taken;

    private Write(int bytes, @Nullable ContentSlice slice) {
      this.bytes = bytes;
      this.slice = slice;
    }

    @Override
    public void operationComplete(ChannelFuture future) {
      taken = future.isSuccess();
      dispatcher.post(this);
    }

    @Override
    public void run() {
      if (slice != null) {
        slice.release();
      }
      writesUnderWay--;
      if (taken) {
        takenBytes += bytes;
        session().sent(bytes);
      }
      if (inactive) {
        reportClosed();
      }
    }
  }

  private final Dispatcher dispatcher;
  private final Channel channel;
  private final FlushQueue flushQueue;
  private final Runnable deliver = this::deliver;
  private final Runnable reportClosed = this::reportClosed;
  private final Runnable readOn = this::readOn;
  private @Nullable Listener session;
  private @Nullable ByteBuf arrived;
  private int writesUnderWay;
  private long takenBytes;
  private boolean reading = true;
  private boolean readUnderWay;
  private boolean inputEnded;
  private boolean needsFlush;
  private boolean inactive;
  private boolean closedReported;

  public NettyConnection(Dispatcher dispatcher, Channel channel, FlushQueue flushQueue) {
    this.dispatcher = dispatcher;
    this.channel = channel;
    this.flushQueue = flushQueue;
  }

  @Override
  public void listen(Listener listener) {
    Invariants.check(session == null, "a connection has one listener");
    session = listener;
  }

  @Override
  public void begin() {
    readOn();
  }

  @Override
  public void refuse() {
    closedReported = true;
    channel.close();
  }

  private Listener session() {
    Listener listener = session;
    if (listener == null) {
      throw new IllegalStateException("a connection without listener");
    }
    return listener;
  }

  // ---- what Netty reports

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    ByteBuf before = arrived;
    if (before == null) {
      arrived = bytes;
      dispatcher.post(deliver);
    } else {
      ByteBuf joined = before.alloc().buffer(before.readableBytes() + bytes.readableBytes());
      arrived = joined.writeBytes(before).writeBytes(bytes);
      before.release();
      bytes.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    readUnderWay = false;
    dispatcher.post(readOn);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      inputEnded = true;
      dispatcher.post(this::deliverEnd);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    inactive = true;
    dispatcher.post(reportClosed);
  }

  /** A reset or broken pipe; that the channel becomes inactive says the rest. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!OneReceive.isEnough(cause)) {
      context.close();
    }
  }

  // ---- upcalls

  private void deliver() {
    ByteBuf bytes = arrived;
    arrived = null;
    if (bytes == null) {
      return;
    }
    if (closedReported) {
      bytes.release();
    } else {
      session().received(bytes);
    }
  }

  /** Asks for one more read, unless there is one or nobody wants it. */
  private void readOn() {
    if (reading && !readUnderWay && !inputEnded && !inactive) {
      readUnderWay = true;
      channel.read();
    }
  }

  private void deliverEnd() {
    if (!closedReported) {
      session().inputEnded();
    }
  }

  /** Reports the end once the last write has failed, so that no slice outlives the report. */
  private void reportClosed() {
    if (writesUnderWay == 0 && !closedReported) {
      closedReported = true;
      session().closed();
    }
  }

  // ---- what the session asks for

  @Override
  public String address() {
    return ClientAddress.of(channel.remoteAddress());
  }

  @Override
  public @Nullable InetAddress peer() {
    return channel.remoteAddress() instanceof InetSocketAddress internet
        ? internet.getAddress()
        : null;
  }

  @Override
  public ByteBufAllocator allocator() {
    return channel.alloc();
  }

  @Override
  public void write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    int size = bytes == null ? 0 : bytes.readableBytes();
    size += slice == null ? 0 : slice.sizeBytes();
    ChannelPromise taken = channel.newPromise();
    taken.addListener(new Write(size, slice));
    writesUnderWay++;
    if (slice == null) {
      channel.write(bytes == null ? Unpooled.EMPTY_BUFFER : bytes, taken);
    } else {
      if (bytes != null) {
        channel.write(bytes, channel.voidPromise());
      }
      List<ByteBuffer> content = slice.buffers();
      int last = content.size() - 1;
      for (int i = 0; i < last; i++) {
        channel.write(Unpooled.wrappedBuffer(content.get(i)), channel.voidPromise());
      }
      channel.write(Unpooled.wrappedBuffer(content.get(last)), taken);
    }
    if (!needsFlush) {
      needsFlush = true;
      flushQueue.add(this);
    }
  }

  @Override
  public int flush() {
    needsFlush = false;
    channel.flush();
    return 0;
  }

  @Override
  public void reading(boolean on) {
    reading = on;
    readOn();
  }

  @Override
  public void finishOutput() {
    if (channel.isActive() && channel instanceof DuplexChannel duplex) {
      duplex.shutdownOutput();
    }
  }

  @Override
  public void close() {
    channel.close();
  }

  @Override
  public long takenBytes() {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return takenBytes + (waiting == null ? 0 : waiting.currentProgress());
  }
}
