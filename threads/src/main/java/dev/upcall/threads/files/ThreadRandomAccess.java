package dev.upcall.threads.files;

import static dev.upcall.UpcallException.value;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.Calls;
import dev.upcall.segment.layout.Inode;
import dev.upcall.threads.SharedContent;
import dev.upcall.threads.ThreadStore;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A file opened for reading and writing ranges, under the engine of threads: what it collects and
 * commits is the machines', but reading, which sees what is committed, is done by the thread that
 * asks.
 */
final class ThreadRandomAccess implements Upcall.RandomAccess {
  private final Calls calls;
  private final ThreadStore store;
  private final Upcall.RandomAccess writing;
  private final long id;
  private final String name;
  private volatile boolean closed;

  /**
   * A handle.
   *
   * @param writing the machines' handle of the same file, owned from now on
   */
  ThreadRandomAccess(Calls calls, ThreadStore store, Upcall.RandomAccess writing) {
    FileInfo info = writing.info();
    this.calls = calls;
    this.store = store;
    this.writing = writing;
    this.id = info.id();
    this.name = info.name();
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    Objects.requireNonNull(into, "into");
    if (!into.hasRemaining()) {
      return 0;
    }
    return calls.inside(
        () -> {
          if (closed) {
            throw UpcallException.of(new Failure.Closed("the file opened as " + name));
          }
          try (SharedContent content = value(store.open(this::newest, name))) {
            int count = value(content.read(offset, into));
            return count == 0 ? -1 : count;
          }
        });
  }

  private Completion<Inode> newest(View view) {
    Inode inode = view.inode(id);
    return inode == null
        ? Completion.failed(new Failure.NotFound("the file opened as " + name))
        : Completion.done(inode);
  }

  @Override
  public FileInfo info() {
    return writing.info();
  }

  @Override
  public long sizeBytes() {
    return writing.sizeBytes();
  }

  @Override
  public void write(long offset, ByteBuffer from) {
    writing.write(offset, from);
  }

  @Override
  public void append(ByteBuffer from) {
    writing.append(from);
  }

  @Override
  public void truncate(long sizeBytes) {
    writing.truncate(sizeBytes);
  }

  @Override
  public void splice(long offset, long removed, ByteBuffer from) {
    writing.splice(offset, removed, from);
  }

  @Override
  public void gather(long offset, long lengthBytes) {
    writing.gather(offset, lengthBytes);
  }

  @Override
  public void flush() {
    writing.flush();
  }

  @Override
  public void abandon() {
    closed = true;
    writing.abandon();
  }

  @Override
  public void close() {
    closed = true;
    writing.close();
  }
}
