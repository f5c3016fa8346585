package dev.upcall.nio.content;

import dev.upcall.nio.collected.FilesById;
import dev.upcall.nio.collected.PendingWrites;
import dev.upcall.nio.collected.WriteBehind;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The newest content of a file, whatever it is called by now. */
public final class LiveContent implements Content {
  /** The most that is copied for one commit, where a buffer is not of the heap. */
  private static final int PIECE_BYTES = 1 << 20;

  private final FilesById files;
  private final OpenFiles open;
  private final OpenFile file;
  private final PendingWrites pending;
  private final Forcing forcing;
  private final WriteLine line;

  /**
   * How it becomes durable.
   *
   * @param changes whether there can be any
   * @param collected writes of all files that are not committed yet
   * @param each how durable a write is when it returns
   */
  public record Forcing(Changes changes, WriteBehind collected, Durability each) {
    /** All that was done before, to any file, is durable when this returns. */
    void all(FilesById files) {
      collected.settle();
      if (!changes.isReadOnly()) {
        files.flush();
      }
    }

    /** As it is, but each write is durable when it returns. */
    Forcing durable() {
      return new Forcing(changes, collected, Durability.SYNC);
    }
  }

  /** Of an open file. */
  LiveContent(FilesById files, OpenFiles open, OpenFile file, Forcing forcing) {
    this.files = files;
    this.open = open;
    this.file = file;
    this.pending = file.pending(forcing.collected());
    this.forcing = forcing;
    this.line = new WriteLine(this, forcing.each() == Durability.SYNC);
  }

  @Override
  public long sizeBytes() {
    return pending.reads().sizeBytes();
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    return pending.reads().read(offset, into);
  }

  @Override
  public CompletableFuture<Integer> readLater(long offset, ByteBuffer into) {
    return pending.reads().readLater(offset, into);
  }

  @Override
  public CompletableFuture<Integer> writeLater(long offset, ByteBuffer from) {
    int count = from.remaining();
    if (isTooFar(offset, count)) {
      return CompletableFuture.failedFuture(tooFar());
    }
    return count == 0 || tryCollect(offset, from)
        ? CompletableFuture.completedFuture(count)
        : line.add(offset, from);
  }

  private static boolean isTooFar(long offset, int count) {
    return offset > FilesById.MAX_BYTES - count;
  }

  private static IOException tooFar() {
    return new IOException("File too large");
  }

  /** Takes it to be committed later, if nobody has to be waited for. */
  private boolean tryCollect(long offset, ByteBuffer from) {
    if (!isCollected(from) || !line.isIdle() || !file.lock.tryLock()) {
      return false;
    }
    try {
      return pending.tryCollect(offset, from) >= 0;
    } finally {
      file.lock.unlock();
    }
  }

  /** Commits pieces as one. */
  void commit(List<FilesById.Piece> pieces) {
    file.lock.lock();
    try {
      pending.settle();
      files.write(file.id(), pieces, forcing.each());
    } finally {
      file.lock.unlock();
    }
  }

  @Override
  public long write(long offset, ByteBuffer from) throws IOException {
    if (isTooFar(offset, from.remaining())) {
      throw tooFar();
    }
    long at = offset < 0 ? FilesById.AT_END : offset;
    long end;
    do {
      file.lock.lock();
      try {
        end = collected(at, from);
        if (end < 0) {
          end = committed(at, from);
        }
      } finally {
        file.lock.unlock();
      }
      at = offset < 0 ? FilesById.AT_END : end;
    } while (from.hasRemaining());
    return end;
  }

  /** The offset behind what was taken to be committed later; -1 if it must be at once. */
  private long collected(long at, ByteBuffer from) {
    return isCollected(from) ? pending.collect(at, from) : -1;
  }

  private boolean isCollected(ByteBuffer from) {
    return forcing.each() == Durability.ASYNC && forcing.collected().collects(from.remaining());
  }

  private long committed(long at, ByteBuffer from) {
    pending.settle();
    ByteBuffer piece = onHeap(from);
    int bytes = piece.remaining();
    long sizeBytes =
        files.write(file.id(), List.of(new FilesById.Piece(at, piece)), forcing.each());
    from.position(from.position() + bytes);
    return at == FilesById.AT_END ? sizeBytes : at + bytes;
  }

  /** The store's thread may not be let at memory that a program has for its own threads only. */
  private static ByteBuffer onHeap(ByteBuffer from) {
    if (from.hasArray()) {
      return from.duplicate();
    }
    int bytes = Math.min(from.remaining(), PIECE_BYTES);
    return ByteBuffer.allocate(bytes).put(0, from, from.position(), bytes);
  }

  @Override
  public void truncate(long sizeBytes) {
    file.lock.lock();
    try {
      if (sizeBytes < sizeBytes()) {
        resize(sizeBytes);
      }
    } finally {
      file.lock.unlock();
    }
  }

  @Override
  public void grow(long sizeBytes) {
    file.lock.lock();
    try {
      if (sizeBytes > sizeBytes()) {
        resize(sizeBytes);
      }
    } finally {
      file.lock.unlock();
    }
  }

  private void resize(long sizeBytes) {
    pending.settle();
    files.truncate(file.id(), sizeBytes, forcing.each());
  }

  @Override
  public void force() {
    pending.settle(); // first, so that this channel hears of its own failure
    forcing.all(files);
  }

  @Override
  public FileLocks locks() {
    return file.locks();
  }

  @Override
  public void close() {
    open.close(file);
  }
}
