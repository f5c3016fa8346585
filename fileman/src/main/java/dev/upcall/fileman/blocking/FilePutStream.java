package dev.upcall.fileman.blocking;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A whole file on its way into the store, as a stream. */
public final class FilePutStream extends Upcall.PutStream {
  private static final int BUFFER_BYTES = 256 << 10;

  /** Of a file that may stay small; more than a block, so that more than this has a place. */
  private static final int FIRST_BUFFER_BYTES = 8 << 10;

  private final Target target;

  /**
   * Small until the store has given the file a place, so that those who wait for one hold little.
   */
  private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BUFFER_BYTES);

  private long sizeBytes;
  private boolean over;

  /** What takes the bytes. */
  public interface Target {
    /** Takes bytes, from position to limit. */
    void append(ByteBuffer bytes);

    /** Makes the file. */
    FileInfo commit(Durability durability);

    /** Gives the file up. */
    void abandon();
  }

  /** A file that a target makes. */
  public FilePutStream(Target target) {
    this.target = target;
  }

  @Override
  public void write(int oneByte) {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    checkNotOver();
    if (length > buffer.remaining()) {
      flush();
    }
    if (length > buffer.remaining()) {
      append(ByteBuffer.wrap(bytes, offset, length));
    } else {
      buffer.put(bytes, offset, length);
    }
    sizeBytes += length;
  }

  /** Hands what is buffered to the store; it is seen by nobody and not durable. */
  @Override
  public void flush() {
    if (buffer.position() > 0 && !over) {
      append(buffer.flip());
      buffer.clear();
    }
  }

  private void append(ByteBuffer bytes) {
    target.append(bytes);
    if (sizeBytes > FIRST_BUFFER_BYTES && buffer.capacity() < BUFFER_BYTES) {
      buffer = ByteBuffer.allocate(BUFFER_BYTES);
    }
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public FileInfo commit(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    checkNotOver();
    flush();
    over = true;
    return target.commit(durability);
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      target.abandon();
    }
  }

  private void checkNotOver() {
    if (over) {
      throw new IllegalStateException("the file was committed or given up");
    }
  }
}
