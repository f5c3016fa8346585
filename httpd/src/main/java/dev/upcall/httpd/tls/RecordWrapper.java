package dev.upcall.httpd.tls;

import dev.upcall.io.Disk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * Has engines make records, with the memory that this takes on the way. One thread at a time.
 *
 * <p>The JDK's engine writes into an array three times as fast as into direct memory (64 KiB in 14
 * against 38 us), from where the record is copied. BoringSSL writes to where it is sent from.
 */
final class RecordWrapper {
  /** The most plain bytes of a record. */
  static final int RECORD_BYTES = 16 << 10;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** A bound of records about the connection itself that one call makes. */
  private static final int MOST_CONTROLS = 16;

  private ByteBuffer record = NOTHING;
  private ByteBuffer gathering = NOTHING;

  /** Puts bytes that lie in several places together, so that one record takes them. */
  ByteBuffer gathered(boolean isNative, int size, Supplier<ByteBuffer> parts) {
    if (gathering.capacity() == 0) {
      gathering = isNative ? Disk.newBuffer(RECORD_BYTES) : ByteBuffer.allocate(RECORD_BYTES);
    }
    gathering.clear();
    while (gathering.position() < size) {
      ByteBuffer part = parts.get();
      int limit = part.limit();
      part.limit(part.position() + Math.min(part.remaining(), size - gathering.position()));
      gathering.put(part);
      part.limit(limit);
    }
    return gathering.flip();
  }

  /** Appends one record with the bytes, or as many as it takes. */
  Status wrap(SSLEngine engine, boolean isNative, ByteBuffer plain, ByteBuf to)
      throws SSLException {
    SSLEngineResult result =
        isNative ? wrapInPlace(engine, plain, to) : wrapByCopy(engine, plain, to);
    return result.getStatus();
  }

  private static SSLEngineResult wrapInPlace(SSLEngine engine, ByteBuffer plain, ByteBuf to)
      throws SSLException {
    SSLEngineResult result = wrapInto(engine, plain, to);
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      to.ensureWritable(plain.remaining() + engine.getSession().getPacketBufferSize());
      result = wrapInto(engine, plain, to);
    }
    return result;
  }

  /** BoringSSL's engine may fail in the very call that has written its alert. */
  private static SSLEngineResult wrapInto(SSLEngine engine, ByteBuffer plain, ByteBuf to)
      throws SSLException {
    ByteBuffer room = to.internalNioBuffer(to.writerIndex(), to.writableBytes());
    int begin = room.position();
    try {
      return engine.wrap(plain, room);
    } finally {
      to.writerIndex(to.writerIndex() + room.position() - begin);
    }
  }

  private SSLEngineResult wrapByCopy(SSLEngine engine, ByteBuffer plain, ByteBuf to)
      throws SSLException {
    if (record.capacity() < engine.getSession().getPacketBufferSize()) {
      record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    }
    record.clear();
    SSLEngineResult result = engine.wrap(plain, record);
    to.writeBytes(record.flip());
    return result;
  }

  /** Appends the records that the engine itself has to send; false when it sends no more at all. */
  boolean wrapControls(SSLEngine engine, boolean isNative, ByteBuf to) throws SSLException {
    for (int i = 0; i < MOST_CONTROLS; i++) {
      if (engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
        return true;
      }
      if (wrap(engine, isNative, NOTHING, to) == Status.CLOSED) {
        return false;
      }
    }
    throw new SSLException("more records of its own than there can be");
  }

  /**
   * The alert that tells a client that its record was none; empty where the engine has nothing to
   * say.
   */
  ByteBuf alert(SSLEngine engine, boolean isNative, ByteBufAllocator allocator) {
    ByteBuf alert = allocator.directBuffer();
    try {
      wrapEnd(engine, isNative, alert);
    } catch (SSLException | RuntimeException nothingToSay) {
      // That the connection closes says enough.
    }
    return alert;
  }

  /** Appends the record that says that no more will be sent, once. */
  void wrapEnd(SSLEngine engine, boolean isNative, ByteBuf to) throws SSLException {
    engine.closeOutbound();
    for (int i = 0; i < MOST_CONTROLS && !engine.isOutboundDone(); i++) {
      int before = to.writerIndex();
      if (wrap(engine, isNative, NOTHING, to) == Status.CLOSED || to.writerIndex() == before) {
        return;
      }
    }
  }
}
