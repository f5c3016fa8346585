package dev.upcall.nio.channel;

import dev.upcall.UpcallException;
import dev.upcall.nio.content.Content;
import dev.upcall.nio.content.FileLocks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A channel on a file of a store. What a write has written everybody sees when it returns; see
 * {@code docs/nio.md}. Any number of threads; those that use the position take turns.
 */
public final class UpcallFileChannel extends FileChannel {
  private final Content content;
  private final OpenOptions.Access access;
  private final String name;
  private final ReentrantLock positionLock = new ReentrantLock();
  private final Cursor cursor;
  private boolean closedByInterrupts = true;
  private volatile Runnable whenClosing = () -> {};
  private volatile Runnable closed = () -> {};

  /**
   * A channel.
   *
   * @param content closed with it
   * @param name what it was opened as, for messages
   */
  public UpcallFileChannel(Content content, OpenOptions.Access access, String name) {
    this.content = content;
    this.access = access;
    this.name = name;
    this.cursor = new Cursor(content, access.append());
  }

  // ------------------------------------------------------------------ one at a time

  private interface Io {
    long run() throws IOException;
  }

  /** Runs what waits: an interrupt closes the channel, and what was under way tells of it. */
  private long io(Io io) throws IOException {
    boolean completed = false;
    try {
      if (closedByInterrupts) {
        begin();
      }
      if (!isOpen()) {
        return 0;
      }
      long result = io.run();
      completed = true;
      return result;
    } catch (UpcallException failed) {
      throw Failures.exception(failed, name, null);
    } finally {
      ended(completed);
    }
  }

  private void ended(boolean completed) throws IOException {
    if (closedByInterrupts) {
      end(completed);
    } else if (!completed && !isOpen()) {
      throw new AsynchronousCloseException();
    }
  }

  private long atPosition(Io io) throws IOException {
    positionLock.lock();
    try {
      return io(io);
    } finally {
      positionLock.unlock();
    }
  }

  private void checkOpen() throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  private void checkReadable() throws IOException {
    checkOpen();
    if (!access.read()) {
      throw new NonReadableChannelException();
    }
  }

  private void checkWritable() throws IOException {
    checkOpen();
    if (!access.write()) {
      throw new NonWritableChannelException();
    }
  }

  private static void checkNotNegative(String what, long number) {
    if (number < 0) {
      throw new IllegalArgumentException(what + " is " + number + ", must not be negative");
    }
  }

  private static void checkTakes(ByteBuffer destination) {
    if (Objects.requireNonNull(destination, "dst").isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
  }

  // ------------------------------------------------------------------ reading

  @Override
  public int read(ByteBuffer destination) throws IOException {
    checkReadable();
    checkTakes(destination);
    return (int) atPosition(() -> cursor.read(destination));
  }

  @Override
  public int read(ByteBuffer destination, long offset) throws IOException {
    Objects.requireNonNull(destination, "dst");
    checkNotNegative("position", offset);
    checkReadable();
    checkTakes(destination);
    return (int) io(() -> cursor.readAt(offset, destination));
  }

  @Override
  public long read(ByteBuffer[] destinations, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destinations.length);
    checkReadable();
    for (int i = offset; i < offset + length; i++) {
      checkTakes(destinations[i]);
    }
    return atPosition(() -> cursor.read(part(destinations, offset, length)));
  }

  // ------------------------------------------------------------------ writing

  @Override
  public int write(ByteBuffer source) throws IOException {
    checkWritable();
    Objects.requireNonNull(source, "src");
    return (int) atPosition(() -> cursor.write(source));
  }

  @Override
  public int write(ByteBuffer source, long offset) throws IOException {
    Objects.requireNonNull(source, "src");
    checkNotNegative("position", offset);
    checkWritable();
    return (int) io(() -> cursor.writeAt(offset, source));
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    checkWritable();
    return atPosition(() -> cursor.write(part(sources, offset, length)));
  }

  private static List<ByteBuffer> part(ByteBuffer[] buffers, int offset, int length) {
    return Arrays.asList(buffers).subList(offset, offset + length);
  }

  // ------------------------------------------------------------------ position and size

  @Override
  public long position() throws IOException {
    checkOpen();
    return atPosition(cursor::position);
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    checkOpen();
    checkNotNegative("position", newPosition);
    atPosition(() -> cursor.moveTo(newPosition));
    return this;
  }

  @Override
  public long size() throws IOException {
    checkOpen();
    return io(content::sizeBytes);
  }

  @Override
  public FileChannel truncate(long sizeBytes) throws IOException {
    checkOpen();
    checkNotNegative("size", sizeBytes);
    checkWritable();
    atPosition(() -> cursor.truncate(sizeBytes));
    return this;
  }

  @Override
  public void force(boolean metadata) throws IOException {
    checkOpen();
    io(
        () -> {
          content.force();
          return 0;
        });
  }

  // ------------------------------------------------------------------ transfers

  @Override
  public long transferTo(long offset, long count, WritableByteChannel target) throws IOException {
    checkOpen();
    if (!Objects.requireNonNull(target, "target").isOpen()) {
      throw new ClosedChannelException();
    }
    checkReadable();
    if (target instanceof UpcallFileChannel other) {
      other.checkWritable();
    }
    checkNotNegative("position", offset);
    checkNotNegative("count", count);
    return Transfers.to(this, offset, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long offset, long count) throws IOException {
    checkOpen();
    if (!Objects.requireNonNull(source, "src").isOpen()) {
      throw new ClosedChannelException();
    }
    if (source instanceof UpcallFileChannel other) {
      other.checkReadable();
    }
    checkWritable();
    checkNotNegative("position", offset);
    checkNotNegative("count", count);
    return Transfers.from(this, offset, count, source);
  }

  // ------------------------------------------------------------------ mapping and locks

  @Override
  public MappedByteBuffer map(MapMode mode, long offset, long sizeBytes) throws IOException {
    if (sizeBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("size is " + sizeBytes + ", the most is 2^31 - 1");
    }
    Objects.requireNonNull(mode, "mode");
    checkOpen();
    checkMapping(mode, offset, sizeBytes);
    return MappedCopy.buffer(this, mode, new MappedCopy.Range(offset, sizeBytes));
  }

  @Override
  public MemorySegment map(MapMode mode, long offset, long sizeBytes, Arena arena)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException("Already closed");
    }
    checkMapping(mode, offset, sizeBytes);
    return MappedCopy.segment(this, mode, new MappedCopy.Range(offset, sizeBytes), arena);
  }

  private void checkMapping(MapMode mode, long offset, long sizeBytes) throws IOException {
    checkNotNegative("position", offset);
    checkNotNegative("size", sizeBytes);
    checkOpen();
    if (offset + sizeBytes < 0) {
      throw new IllegalArgumentException("position + size is larger than any file");
    }
    if (mode != MapMode.READ_ONLY) {
      checkWritable();
    }
    checkReadable();
    if (mode != MapMode.READ_ONLY && mode != MapMode.PRIVATE) {
      throw new UnsupportedOperationException(
          "a mapping is a copy, so what is written to it cannot reach the file: " + mode);
    }
  }

  /** The file is at least so long when this returns; what is new in it is zeros. */
  void grow(long sizeBytes) throws IOException {
    if (!access.write()) {
      throw new IOException("Channel not open for writing - cannot extend file to required size");
    }
    atPosition(() -> cursor.grow(sizeBytes));
  }

  /** Waits for nobody, but is as interruptible as one that does. */
  @Override
  public FileLock lock(long offset, long sizeBytes, boolean shared) throws IOException {
    FileLock lock = tryLock(offset, sizeBytes, shared);
    try {
      io(() -> 0);
    } catch (ClosedByInterruptException interrupted) {
      FileLockInterruptionException told = new FileLockInterruptionException();
      told.initCause(interrupted);
      throw told;
    }
    return lock;
  }

  /** Takes a region, for a lock of this channel or of one around it. */
  FileLock lock(FileLocks.Region region, UpcallFileLock lock) throws IOException {
    content.locks().add(region);
    if (!isOpen()) {
      content.locks().remove(region);
      throw new ClosedChannelException();
    }
    return lock;
  }

  @Override
  public FileLock tryLock(long offset, long sizeBytes, boolean shared) throws IOException {
    checkOpen();
    if (shared && !access.read()) {
      throw new NonReadableChannelException();
    }
    if (!shared && !access.write()) {
      throw new NonWritableChannelException();
    }
    FileLocks.Region region = new FileLocks.Region(offset, sizeBytes, shared, content);
    return lock(region, new UpcallFileLock(this, region, content.locks()));
  }

  // ------------------------------------------------------------------ for a channel around it

  /** What it reads and writes. */
  Content content() {
    return content;
  }

  /** The exception that a program gets for a failure of the store. */
  IOException exception(UpcallException failed) {
    return Failures.exception(failed, name, null);
  }

  /**
   * From now on an interrupt does not close it, and what the interrupted thread asks for is done;
   * told before use.
   */
  public UpcallFileChannel uninterruptible() {
    closedByInterrupts = false;
    return this;
  }

  /** Has something done when it closes, before it waits for anything; told once, before use. */
  void whenClosing(Runnable action) {
    whenClosing = action;
  }

  /** Whom to tell that it is closed; told once, before use. */
  public void whenClosed(Runnable told) {
    closed = told;
  }

  /** Closes what it has; leads to that only. */
  public StillOpen.End whenForgotten() {
    return closing(content, name);
  }

  private static StillOpen.End closing(Content content, String name) {
    return () -> {
      content.locks().removeAllOf(content);
      try {
        content.close();
      } catch (UpcallException failed) {
        throw Failures.exception(failed, name, null);
      }
    };
  }

  @Override
  protected void implCloseChannel() throws IOException {
    whenClosing.run();
    closed.run();
    closing(content, name).run();
  }
}
