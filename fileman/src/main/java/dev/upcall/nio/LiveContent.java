package dev.upcall.nio;

import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The newest content of a file, whatever it is called by now. */
final class LiveContent implements Content {
  /** The most that is copied for one commit, where a buffer is not of the heap. */
  private static final int PIECE_BYTES = 1 << 20;

  private final FilesById files;
  private final OpenFiles open;
  private final OpenFile file;
  private final Changes changes;
  private final Durability durability;

  /**
   * Of an open file.
   *
   * @param durability how durable a write is when it returns
   */
  LiveContent(
      FilesById files, OpenFiles open, OpenFile file, Changes changes, Durability durability) {
    this.files = files;
    this.open = open;
    this.file = file;
    this.changes = changes;
    this.durability = durability;
  }

  @Override
  public long sizeBytes() {
    return files.sizeBytes(file.id());
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    return files.read(file.id(), offset, into);
  }

  @Override
  public long write(long offset, ByteBuffer from) throws IOException {
    long at = offset;
    do {
      ByteBuffer piece = onHeap(from);
      int bytes = piece.remaining();
      file.lock.lock();
      try {
        if (offset < 0) {
          at = files.append(file.id(), piece, durability);
        } else {
          files.write(file.id(), at, piece, durability);
          at += bytes;
        }
      } finally {
        file.lock.unlock();
      }
      from.position(from.position() + bytes);
    } while (from.hasRemaining());
    return at;
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
        files.truncate(file.id(), sizeBytes, durability);
      }
    } finally {
      file.lock.unlock();
    }
  }

  @Override
  public void force() {
    changes.flush();
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
