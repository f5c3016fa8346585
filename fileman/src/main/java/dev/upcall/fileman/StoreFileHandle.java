package dev.upcall.fileman;

import dev.upcall.access.SegmentHandle;
import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.fsm.Unit;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentSlice;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A file opened for reading and writing, over the raw access method. */
final class StoreFileHandle implements FileHandle {
  private static final LeaseOwner OWNER = new LeaseOwner("file-handle", 0);

  private final Store store;
  private final Entrance entrance;
  private final String name;
  private final SegmentHandle segment;
  private final Runnable over;
  private boolean open = true;
  private boolean writing;
  private boolean abandonAfterwards;

  /**
   * A handle.
   *
   * @param over run once when it is closed
   */
  StoreFileHandle(
      Store store, Entrance entrance, String name, SegmentHandle segment, Runnable over) {
    this.store = store;
    this.entrance = entrance;
    this.name = name;
    this.segment = segment;
    this.over = over;
  }

  @Override
  public FileInfo info() {
    return FileInfo.of(name, segment.inode());
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
    store.pin(
        view -> {
          Inode inode = view.inode(id);
          return inode == null
              ? Completion.failed(new Failure.NotFound("the file opened as " + name))
              : Completion.done(inode);
        },
        OWNER,
        completion -> {
          switch (completion) {
            case Completion.Failed<PinnedContent> failed -> inside.complete(failed.cast());
            case Completion.Done<PinnedContent>(PinnedContent content) ->
                content.read(
                    offset,
                    maxBytes,
                    IoClass.FOREGROUND_READ,
                    slice -> {
                      content.close();
                      inside.complete(slice);
                    });
          }
        });
  }

  @Override
  public void write(long offset, ByteBuffer bytes, CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_WRITE, port);
    if (inside != null) {
      segment.write(offset, bytes, inside);
    }
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
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
  public void flush(CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_FLUSH, port);
    if (inside != null) {
      segment.flush(inside);
    }
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    CompletionPort<Unit> inside = beginWriting(FileOperation.HANDLE_FLUSH, port);
    if (inside == null) {
      return;
    }
    segment.close(
        completion -> {
          if (completion instanceof Completion.Done) {
            open = false;
            over.run();
          }
          inside.complete(completion);
        });
  }

  @Override
  public void abandon() {
    if (writing) {
      abandonAfterwards = true;
    } else if (open) {
      open = false;
      segment.abandon();
      over.run();
    }
  }

  private @Nullable CompletionPort<Unit> beginWriting(
      FileOperation operation, CompletionPort<Unit> port) {
    Invariants.check(!writing, "two writing requests at once on the file opened as", name);
    CompletionPort<Unit> inside = enter(operation, port);
    if (inside == null) {
      return null;
    }
    writing = true;
    return completion -> {
      writing = false;
      if (abandonAfterwards) {
        abandon();
      }
      inside.complete(completion);
    };
  }

  private <T> @Nullable CompletionPort<T> enter(FileOperation operation, CompletionPort<T> port) {
    if (!open) {
      entrance.refuse(port, "the file opened as " + name);
      return null;
    }
    return entrance.enter(operation, port);
  }
}
