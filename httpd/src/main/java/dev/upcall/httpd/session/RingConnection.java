package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.message.ClientAddress;
import dev.upcall.httpd.socket.RingSocket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection over a socket of the dispatcher's own ring. What a session writes waits in a list
 * and leaves with the flush of the batch, heads and slices as pieces of one send; what the kernel
 * did not take follows with the next flush. The next receive is asked for by the same flush, behind
 * the upcall that has delivered what the last one brought. Dispatcher's thread.
 */
public final class RingConnection implements SocketConnection, RingSocket.Owner, FlushQueue.Entry {
  /** One write, and the next one behind it. */
  private static final class Write {
    private final @Nullable ByteBuf bytes;
    private final @Nullable ContentSlice slice;
    private final int size;
    private @Nullable Write next;

    private Write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
      this.bytes = bytes;
      this.slice = slice;
      this.size =
          (bytes == null ? 0 : bytes.readableBytes()) + (slice == null ? 0 : slice.sizeBytes());
    }

    private void release() {
      if (bytes != null) {
        bytes.release();
      }
      if (slice != null) {
        slice.release();
      }
    }
  }

  private final RingSocket socket;
  private final FlushQueue flushQueue;
  private @Nullable Listener session;
  private @Nullable Write first;
  private @Nullable Write last;
  private int firstTakenBytes; // of the first write
  private long takenBytes;
  private boolean reading = true;
  private boolean needsFlush;
  private boolean closed;

  /** A connection of a socket that has no owner yet. */
  public RingConnection(RingSocket socket, FlushQueue flushQueue) {
    this.socket = socket;
    this.flushQueue = flushQueue;
    socket.own(this);
  }

  @Override
  public void listen(Listener listener) {
    Invariants.check(session == null, "a connection has one listener");
    session = listener;
  }

  @Override
  public void begin() {
    socket.receive();
  }

  @Override
  public void refuse() {
    socket.close();
  }

  private Listener session() {
    return Invariants.present(session, "a connection's listener");
  }

  // ---- what the socket tells

  @Override
  public void arrived(ByteBuf bytes) {
    session().received(bytes);
    awaitFlush();
  }

  @Override
  public void inputEnded() {
    session().inputEnded();
  }

  @Override
  public void sent(int bytes) {
    takenBytes += bytes;
    firstTakenBytes += bytes;
    for (Write done = first; done != null && firstTakenBytes >= done.size; done = first) {
      firstTakenBytes -= done.size;
      removeFirst(done);
      session().sent(done.size);
    }
    if (first != null) {
      awaitFlush();
    }
  }

  @Override
  public void closed() {
    closed = true;
    for (Write lost = first; lost != null; lost = first) {
      removeFirst(lost);
    }
    if (session != null) {
      session.closed();
    }
  }

  /** Gives back what is not the store's: who would take its slices is no longer there. */
  @Override
  public void abandoned() {
    for (Write lost = first; lost != null; lost = lost.next) {
      if (lost.bytes != null) {
        lost.bytes.release();
      }
    }
  }

  private void removeFirst(Write done) {
    first = done.next;
    if (first == null) {
      last = null;
    }
    done.release();
  }

  // ---- what the session asks for

  @Override
  public String address() {
    return ClientAddress.of(socket.peer());
  }

  @Override
  public @Nullable InetAddress peer() {
    return socket.peer();
  }

  @Override
  public ByteBufAllocator allocator() {
    return PooledByteBufAllocator.DEFAULT;
  }

  @Override
  public void write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    Write write =
        isNative(bytes, slice)
            ? new Write(bytes, slice)
            : new Write(copied(bytes, slice), /* slice= */ null);
    if (closed) {
      write.release();
      return;
    }
    if (last == null) {
      first = write;
    } else {
      last.next = write;
    }
    last = write;
    awaitFlush();
  }

  /** Whether the kernel can take it from where it lies. */
  private static boolean isNative(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    boolean is = bytes == null || bytes.isDirect();
    if (slice != null) {
      List<ByteBuffer> content = slice.buffers();
      for (int i = 0; i < content.size(); i++) {
        is &= content.get(i).isDirect();
      }
    }
    return is;
  }

  /** Head and content in one piece: content so small that it lies inside its inode. */
  private ByteBuf copied(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    Write from = new Write(bytes, slice);
    ByteBuf all = allocator().directBuffer(from.size, from.size);
    if (bytes != null) {
      all.writeBytes(bytes);
    }
    if (slice != null) {
      slice.buffers().forEach(all::writeBytes);
    }
    from.release();
    return all;
  }

  private void awaitFlush() {
    if (!needsFlush) {
      needsFlush = true;
      flushQueue.add(this);
    }
  }

  @Override
  public int flush() {
    needsFlush = false;
    if (first != null && !socket.isSending()) {
      socket.send(pieces());
    }
    if (reading) {
      socket.receive();
    }
    return 0;
  }

  /** Makes what waits the pieces of one send, as many as it takes. */
  private int pieces() {
    int count = 0;
    int skip = firstTakenBytes;
    for (Write write = first; write != null; write = write.next) {
      if (write.bytes != null) {
        ByteBuf bytes = write.bytes;
        int size = bytes.readableBytes();
        if (skip < size) {
          socket.piece(count++, bytes.internalNioBuffer(bytes.readerIndex(), size), skip);
        }
        skip = Math.max(0, skip - size);
      }
      List<ByteBuffer> content = write.slice == null ? List.of() : write.slice.buffers();
      int from = 0;
      while (from < content.size() && skip >= content.get(from).remaining()) {
        skip -= content.get(from++).remaining();
      }
      // Counted before: of a loop that looks at the count the compiler took its code back for ever.
      int behind = Math.min(content.size(), from + RingSocket.MAX_PIECES - count);
      for (int i = from; i < behind; i++) {
        socket.piece(count++, content.get(i), skip);
        skip = 0;
      }
      if (count == RingSocket.MAX_PIECES) {
        break;
      }
    }
    return count;
  }

  @Override
  public void reading(boolean on) {
    boolean goesOn = on && !reading;
    reading = on;
    if (goesOn) {
      awaitFlush();
    }
  }

  @Override
  public void finishOutput() {
    socket.finishOutput();
  }

  @Override
  public void close() {
    socket.close();
  }

  @Override
  public long takenBytes() {
    return takenBytes;
  }
}
