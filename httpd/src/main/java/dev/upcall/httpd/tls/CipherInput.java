package dev.upcall.httpd.tls;

import dev.upcall.base.Invariants;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Bytes of records that have come and were not decrypted. One thread at a time. */
final class CipherInput {
  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_AT = 3;

  /**
   * The longest that a record of TLS 1.2 may be (RFC 5246, section 6.2.3); those of 1.3 are less.
   */
  private static final int MOST_BYTES = 16_384 + 2_048;

  private static final int FIRST_TYPE = 20;
  private static final int LAST_TYPE = 23;

  /** Records without content that may follow each other: no client sends so many. */
  private static final int MOST_EMPTY = 32;

  /** The result of decrypting. */
  enum Outcome {
    /** As far as whole records went. */
    MORE,
    /** The client has said that it sends no more. */
    ENDED
  }

  private final boolean isNative;
  private @Nullable ByteBuf left;
  private int emptyRecords;

  CipherInput(boolean isNative) {
    this.isNative = isNative;
  }

  /** Adds bytes, which pass to this. */
  void append(ByteBuf bytes) {
    ByteBuf before = left;
    if (before == null && (isNative || bytes.hasArray())) {
      left = bytes;
      return;
    }
    int size = bytes.readableBytes() + (before == null ? 0 : before.readableBytes());
    ByteBuf joined = buffer(size);
    if (before != null) {
      joined.writeBytes(before);
      before.release();
    }
    joined.writeBytes(bytes);
    bytes.release();
    left = joined;
  }

  private ByteBuf buffer(int size) {
    PooledByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
    return isNative ? pool.directBuffer(size) : pool.heapBuffer(size);
  }

  boolean isEmpty() {
    return left == null;
  }

  /** Whether it begins as HTTP, whose methods are upper case; no record begins like that. */
  boolean isPlainText() {
    int first = firstByte();
    return first >= 'A' && first <= 'Z';
  }

  private int firstByte() {
    return left == null ? -1 : left.getUnsignedByte(left.readerIndex());
  }

  /** Whether there is a whole record, or what is none: of that no more is waited for. */
  boolean hasRecord() {
    if (left == null || left.readableBytes() < HEADER_BYTES) {
      return left != null && !isRecordType(firstByte());
    }
    int size = left.getUnsignedShort(left.readerIndex() + LENGTH_AT);
    return !isRecordType(firstByte())
        || size > MOST_BYTES
        || left.readableBytes() >= HEADER_BYTES + size;
  }

  private static boolean isRecordType(int type) {
    return type >= FIRST_TYPE && type <= LAST_TYPE;
  }

  /** Gives one record, which there is, to the engine in a handshake. */
  SSLEngineResult unwrapOne(SSLEngine engine, ByteBuf to) throws SSLException {
    try {
      return unwrapInto(engine, Invariants.present(left, "a record"), to);
    } finally {
      releaseIfRead();
    }
  }

  /** Decrypts all whole records. */
  Outcome unwrap(SSLEngine engine, ByteBuf to) throws SSLException {
    try {
      while (left != null && hasRecord()) {
        int before = to.writerIndex();
        SSLEngineResult result = unwrapInto(engine, left, to);
        releaseIfRead();
        if (result.getStatus() == Status.CLOSED) {
          return Outcome.ENDED;
        }
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
          throw new SSLException("a second handshake");
        }
        emptyRecords = to.writerIndex() == before ? emptyRecords + 1 : 0;
        if (emptyRecords > MOST_EMPTY || result.getStatus() != Status.OK) {
          throw new SSLException("records that bring nothing");
        }
      }
      return Outcome.MORE;
    } finally {
      releaseIfRead();
    }
  }

  /** The most plain bytes that decrypting may bring. */
  int mostPlainBytes() {
    return left == null ? 0 : left.readableBytes();
  }

  private static SSLEngineResult unwrapInto(SSLEngine engine, ByteBuf from, ByteBuf to)
      throws SSLException {
    ByteBuffer source = from.nioBuffer();
    ByteBuffer room = to.nioBuffer(to.writerIndex(), to.writableBytes());
    SSLEngineResult result = engine.unwrap(source, room);
    from.skipBytes(result.bytesConsumed());
    to.writerIndex(to.writerIndex() + result.bytesProduced());
    return result;
  }

  private void releaseIfRead() {
    if (left != null && !left.isReadable()) {
      release();
    }
  }

  /** Throws away what is left. */
  void release() {
    if (left != null) {
      left.release();
      left = null;
    }
  }

  /** A buffer for what decrypting brings. */
  ByteBuf plainBuffer() {
    return buffer(mostPlainBytes());
  }
}
