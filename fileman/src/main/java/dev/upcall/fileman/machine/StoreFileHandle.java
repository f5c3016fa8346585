package dev.upcall.fileman.machine;

import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileOperation;
import dev.upcall.StorePath;
import dev.upcall.access.SegmentHandle;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.FileInfos;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.ReadSource;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A file opened for reading and writing, over the raw access method. */
final class StoreFileHandle implements FileHandle {
  private static final LeaseOwner OWNER = new LeaseOwner("file-handle", 0);

  private final ReadSource reading;
  private final Entrance entrance;
  private final StorePath path;
  private final SegmentHandle segment;
  private final Consumer<StoreFileHandle> over;
  private boolean open = true;
  private boolean writing;
  private boolean abandonAfterwards;

  /** The transaction that it belongs to is being committed: nothing more is written. */
  private boolean last;

  private boolean transactionEnded;
  private @Nullable Runnable whenWritten;

  /**
   * A handle.
   *
   * @param reading what it reads
   * @param over run once when it is closed
   */
  StoreFileHandle(
      ReadSource reading,
      Entrance entrance,
      StorePath path,
      SegmentHandle segment,
      Consumer<StoreFileHandle> over) {
    this.reading = reading;
    this.entrance = entrance;
    this.path = path;
    this.segment = segment;
    this.over = over;
  }

  @Override
  public FileInfo info() {
    return FileInfos.of(path.lastName(), segment.inode());
  }

  @Override
  public long sizeBytes() {
    return segment.sizeBytes();
  }

  @Override
  public void read(long offset, int maxBytes, CompletionPort<ContentSlice> port) {
    CompletionPort<ContentSlice> inside = enter(FileOperation.HANDLE_READ, port);
    if (inside == null) {
      return;
    }
    long id = segment.inode().id();
    reading.pin(
        view -> {
          Inode inode = view.inode(id);
          return inode == null
              ? Completion.failed(new Failure.NotFound("the file opened as " + path))
              : Completion.done(inode);
        },
        OWNER,
        completion -> {
          switch (completion) {
            case Completion.Failed<PinnedContent> failed -> inside.complete(failed.cast());
            case Completion.Done<PinnedContent>(PinnedContent content) -> {
              content.name(path.toString());
              content.read(
                  offset,
                  maxBytes,
                  IoClass.FOREGROUND_READ,
                  slice -> {
                    content.close();
                    inside.complete(slice);
                  });
            }
          }
        });
  }

  @Override
  public void write(long offset, ByteBuffer bytes, CompletionPort<Unit> port) {
    Objects.requireNonNull(bytes, "bytes");
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_WRITE, port);
    if (inside != null) {
      segment.write(offset, bytes, inside);
    }
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    Objects.requireNonNull(bytes, "bytes");
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_WRITE, port);
    if (inside != null) {
      segment.append(bytes, inside);
    }
  }

  @Override
  public void truncate(long sizeBytes, CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_WRITE, port);
    if (inside != null) {
      segment.truncate(sizeBytes, inside);
    }
  }

  @Override
  public void splice(long offset, long removed, ByteBuffer bytes, CompletionPort<Unit> port) {
    Objects.requireNonNull(bytes, "bytes");
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_WRITE, port);
    if (inside != null) {
      segment.splice(offset, removed, bytes, inside);
    }
  }

  @Override
  public void gather(long offset, long lengthBytes, CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_WRITE, port);
    if (inside != null) {
      segment.gather(offset, lengthBytes, inside);
    }
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_FLUSH, port);
    if (inside != null) {
      segment.flush(inside);
    }
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    Objects.requireNonNull(port, "port");
    if (transactionEnded) {
      entrance.dispatcher().complete(port, Completion.done());
      return;
    }
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_FLUSH, port);
    if (inside == null) {
      giveUpUnlessLast();
      return;
    }
    segment.close(
        completion -> {
          if (completion instanceof Completion.Done) {
            open = false;
            over.accept(this);
          } else {
            abandonAfterwards = true;
          }
          inside.complete(completion);
        });
  }

  /** Nobody asks for what a refused close would have flushed; a commit under way flushes it. */
  private void giveUpUnlessLast() {
    if (!last) {
      abandon();
    }
  }

  @Override
  public void abandon() {
    if (writing) {
      abandonAfterwards = true;
      segment.stopWaiting();
    } else if (open) {
      open = false;
      segment.abandon();
      over.accept(this);
    }
  }

  /**
   * Its transaction is being committed: flushes what is collected, when the request that is under
   * way has ended, and takes no more.
   */
  void flushLast(CompletionPort<Unit> port) {
    last = true;
    if (writing) {
      whenWritten = () -> flushLast(port);
    } else if (open && segment.isDirty()) {
      segment.flush(whileWriting(port));
    } else {
      entrance.dispatcher().complete(port, Completion.done());
    }
  }

  /** Its transaction has ended, and with it everything that was collected. */
  void endWithTransaction() {
    transactionEnded = true;
    abandon();
  }

  private @Nullable CompletionPort<Unit> beginWriting(
      FileOperation operation, CompletionPort<Unit> port) {
    Objects.requireNonNull(port, "port");
    if (last) {
      entrance.refuse(port, "the transaction of the file opened as " + path);
      return null;
    }
    if (writing) {
      Failure busy =
          new Failure.Busy(
              "writing requests at once on the file opened as " + path,
              "wait for the completion of the one before");
      entrance.dispatcher().complete(port, Completion.failed(busy));
      return null;
    }
    CompletionPort<Unit> inside = enter(operation, port);
    return inside == null ? null : whileWriting(inside);
  }

  private CompletionPort<Unit> whileWriting(CompletionPort<Unit> port) {
    writing = true;
    return completion -> {
      writing = false;
      if (abandonAfterwards) {
        abandon();
      }
      port.complete(completion);
      Runnable next = whenWritten;
      if (next != null) {
        whenWritten = null;
        next.run();
      }
    };
  }

  private <T> @Nullable CompletionPort<T> enter(FileOperation operation, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    if (!open) {
      entrance.refuse(port, "the file opened as " + path);
      return null;
    }
    return entrance.enter(operation, port);
  }
}
