package dev.upcall.nio;

import dev.upcall.UpcallException;
import dev.upcall.nio.collected.FilesById;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
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
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A channel on a file of a store. What a write has written everybody sees when it returns; see
 * {@code docs/nio.md}. Any number of threads; those that use the position take turns.
 */
final class UpcallFileChannel extends FileChannel {
  private static final int MAX_GATHERED_BYTES = 1 << 20;

  private final Content content;
  private final OpenOptions.Access access;
  private final UpcallPath path;
  private final ReentrantLock positionLock = new ReentrantLock();
  private long position;
  private boolean closedByInterrupts = true;
  private volatile Runnable whenClosing = () -> {};

  /** What it says of itself to its file system when it closes. */
  private volatile @Nullable Reference<?> held;

  /**
   * A channel.
   *
   * @param content closed with it
   * @param path what it was opened as
   */
  UpcallFileChannel(Content content, OpenOptions.Access access, UpcallPath path) {
    this.content = content;
    this.access = access;
    this.path = path;
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
      throw Failures.exception(failed, path.toString(), null);
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
    return (int) atPosition(() -> advance(readAt(position, destination)));
  }

  @Override
  public int read(ByteBuffer destination, long offset) throws IOException {
    Objects.requireNonNull(destination, "dst");
    checkNotNegative("position", offset);
    checkReadable();
    checkTakes(destination);
    return (int) io(() -> readAt(offset, destination));
  }

  @Override
  public long read(ByteBuffer[] destinations, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, destinations.length);
    checkReadable();
    for (int i = offset; i < offset + length; i++) {
      checkTakes(destinations[i]);
    }
    return atPosition(() -> advance(scatter(destinations, offset, length)));
  }

  private long scatter(ByteBuffer[] destinations, int offset, int length) throws IOException {
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      if (destinations[i].hasRemaining()) {
        int count = readAt(position + total, destinations[i]);
        if (count < 0) {
          return total == 0 ? -1 : total;
        }
        total += count;
      }
    }
    return total;
  }

  /** Reads until the buffer is full or the file ends: what is there is not left for later. */
  private int readAt(long offset, ByteBuffer destination) throws IOException {
    if (!destination.hasRemaining()) {
      return 0;
    }
    int total = 0;
    while (destination.hasRemaining()) {
      int count = content.read(offset + total, destination);
      if (count < 0) {
        return total == 0 ? -1 : total;
      }
      total += count;
    }
    return total;
  }

  private long advance(long count) {
    position += Math.max(0, count);
    return count;
  }

  // ------------------------------------------------------------------ writing

  @Override
  public int write(ByteBuffer source) throws IOException {
    checkWritable();
    Objects.requireNonNull(source, "src");
    return (int) atPosition(() -> writeHere(source));
  }

  @Override
  public int write(ByteBuffer source, long offset) throws IOException {
    Objects.requireNonNull(source, "src");
    checkNotNegative("position", offset);
    checkWritable();
    return (int) io(() -> writeAt(offset, source));
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    checkWritable();
    return atPosition(() -> gather(sources, offset, length));
  }

  /** Many small ones become one commit; the first that would be too much for that waits. */
  private long gather(ByteBuffer[] sources, int offset, int length) throws IOException {
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      total += sources[i].remaining();
    }
    if (total > MAX_GATHERED_BYTES) {
      long written = 0;
      for (int i = offset; i < offset + length; i++) {
        written += writeHere(sources[i]);
      }
      return written;
    }
    ByteBuffer all = ByteBuffer.allocate((int) total);
    for (int i = offset; i < offset + length; i++) {
      all.put(sources[i].duplicate());
    }
    long written = writeHere(all.flip());
    for (int i = offset; i < offset + length; i++) {
      sources[i].position(sources[i].limit());
    }
    return written;
  }

  private long writeHere(ByteBuffer source) throws IOException {
    int count = source.remaining();
    if (count > 0) {
      position = content.write(access.append() ? -1 : position, source);
    }
    return count;
  }

  private int writeAt(long offset, ByteBuffer source) throws IOException {
    int count = source.remaining();
    if (count > 0) {
      content.write(access.append() ? -1 : offset, source);
    }
    return count;
  }

  // ------------------------------------------------------------------ position and size

  @Override
  public long position() throws IOException {
    checkOpen();
    return atPosition(() -> access.append() ? content.sizeBytes() : position);
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    checkOpen();
    checkNotNegative("position", newPosition);
    atPosition(
        () -> {
          if (newPosition > FilesById.MAX_BYTES) {
            throw new IOException("Invalid argument");
          }
          position = newPosition;
          return 0;
        });
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
    atPosition(
        () -> {
          content.truncate(sizeBytes);
          position = Math.min(position, sizeBytes);
          return 0;
        });
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
    atPosition(
        () -> {
          content.grow(sizeBytes);
          return 0;
        });
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

  /** What it was opened as. */
  UpcallPath path() {
    return path;
  }

  /**
   * From now on an interrupt does not close it, and what the interrupted thread asks for is done;
   * told before use.
   */
  UpcallFileChannel uninterruptible() {
    closedByInterrupts = false;
    return this;
  }

  /** Has something done when it closes, before it waits for anything; told once, before use. */
  void whenClosing(Runnable action) {
    whenClosing = action;
  }

  /** How its file system holds it; told once, before use. */
  void heldAs(Reference<?> reference) {
    held = reference;
  }

  /** Closes what it has; leads to that only. */
  StillOpen.End whenForgotten() {
    return closing(content, path);
  }

  private static StillOpen.End closing(Content content, UpcallPath path) {
    return () -> {
      content.locks().removeAllOf(content);
      try {
        content.close();
      } catch (UpcallException failed) {
        throw Failures.exception(failed, path.toString(), null);
      }
    };
  }

  @Override
  protected void implCloseChannel() throws IOException {
    whenClosing.run();
    path.system().closed(held);
    closing(content, path).run();
  }
}
