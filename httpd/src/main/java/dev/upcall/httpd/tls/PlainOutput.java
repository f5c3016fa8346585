package dev.upcall.httpd.tls;

import dev.upcall.base.Invariants;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.session.FlushQueue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The output of a session: plain bytes that wait, and for each write of records that is on its way
 * how many plain bytes it ends. Dispatcher's thread.
 */
final class PlainOutput {
  /** The most that is encrypted at once, and that lies encrypted before the transport takes it. */
  static final int PIECE_BYTES = FlushQueue.MOST_ENCRYPTED_BYTES;

  /** The bytes of a record beside its content, and the room that an engine wants to see. */
  private static final int RECORD_MORE = 128;

  /** One write of the session. */
  private static final class Write {
    private final @Nullable ByteBuf bytes;
    private final @Nullable ContentSlice slice;
    private final ArrayDeque<ByteBuffer> parts = new ArrayDeque<>();
    private final int size;

    private Write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
      this.bytes = bytes;
      this.slice = slice;
      int all = 0;
      if (bytes != null) {
        parts.add(bytes.nioBuffer());
        all += bytes.readableBytes();
      }
      if (slice != null) {
        slice.buffers().forEach(part -> parts.add(part.duplicate()));
        all += slice.sizeBytes();
      }
      this.size = all;
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

  private final ArrayDeque<Write> waiting = new ArrayDeque<>();
  private final ArrayDeque<Integer> underWay = new ArrayDeque<>();
  private long waitingBytes;
  private long underWayBytes;
  private int endedBytes; // of writes that were encrypted whole by the present piece

  void add(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    Write write = new Write(bytes, slice);
    waiting.addLast(write);
    waitingBytes += write.size;
  }

  /** Whether there is something to encrypt, and the transport has not enough. */
  boolean isWrapDue() {
    return !waiting.isEmpty() && underWayBytes < PIECE_BYTES;
  }

  /** Encrypts a piece of what waits. */
  ByteBuf wrap(SSLEngine engine, boolean isNative, RecordWrapper wrapper, ByteBufAllocator buffers)
      throws SSLException {
    int plain = (int) Math.min(waitingBytes, PIECE_BYTES);
    int records = plain / RecordWrapper.RECORD_BYTES + 1;
    ByteBuf to = buffers.directBuffer(plain + records * RECORD_MORE);
    endedBytes = 0;
    try {
      endWrites();
      while (plain > 0) {
        int size = Math.min(plain, RecordWrapper.RECORD_BYTES);
        wrapRecord(engine, isNative, wrapper, size, to);
        plain -= size;
        waitingBytes -= size;
        endWrites();
      }
      wrapper.wrapControls(engine, isNative, to);
      return to;
    } catch (SSLException | RuntimeException failed) {
      to.release();
      throw failed;
    }
  }

  private void wrapRecord(
      SSLEngine engine, boolean isNative, RecordWrapper wrapper, int size, ByteBuf to)
      throws SSLException {
    ByteBuffer first = firstPart();
    if (first.remaining() >= size) {
      int limit = first.limit();
      first.limit(first.position() + size);
      wrapAll(engine, isNative, wrapper, first, to);
      first.limit(limit);
    } else {
      wrapAll(engine, isNative, wrapper, wrapper.gathered(isNative, size, this::firstPart), to);
    }
  }

  private static void wrapAll(
      SSLEngine engine, boolean isNative, RecordWrapper wrapper, ByteBuffer plain, ByteBuf to)
      throws SSLException {
    while (plain.hasRemaining()) {
      if (wrapper.wrap(engine, isNative, plain, to) != Status.OK) {
        throw new SSLException("the engine takes no more");
      }
    }
  }

  /** The next part that has something; there is one. */
  private ByteBuffer firstPart() {
    for (Write write : waiting) {
      for (ByteBuffer part = write.parts.peekFirst();
          part != null;
          part = write.parts.peekFirst()) {
        if (part.hasRemaining()) {
          return part;
        }
        write.parts.removeFirst();
      }
    }
    throw new Invariants.Violation("a part that waits");
  }

  /** Lets go of the writes of which nothing waits any more. */
  private void endWrites() {
    for (Write first = waiting.peekFirst(); first != null; first = waiting.peekFirst()) {
      while (!first.parts.isEmpty() && !first.parts.getFirst().hasRemaining()) {
        first.parts.removeFirst();
      }
      if (!first.parts.isEmpty()) {
        return;
      }
      waiting.removeFirst();
      first.release();
      endedBytes += first.size;
    }
  }

  /** Records were written to the transport: what {@link #wrap} has made, or others. */
  void written(int cipherBytes, boolean ofContent) {
    underWay.addLast(cipherBytes);
    underWay.addLast(ofContent ? endedBytes : 0);
    underWayBytes += cipherBytes;
  }

  /** The transport has taken so many bytes of whole writes; the plain bytes that these end. */
  int sent(int cipherBytes) {
    int plain = 0;
    int rest = cipherBytes;
    while (rest > 0) {
      rest -= underWay.removeFirst();
      plain += underWay.removeFirst();
    }
    Invariants.check(rest == 0, "a part of a write was sent", cipherBytes);
    underWayBytes -= cipherBytes;
    return plain;
  }

  /** Whether the transport has taken all that was written to it. */
  boolean isSent() {
    return underWay.isEmpty();
  }

  /** Throws away what waits. */
  void drop() {
    waiting.forEach(Write::release);
    waiting.clear();
    waitingBytes = 0;
  }
}
