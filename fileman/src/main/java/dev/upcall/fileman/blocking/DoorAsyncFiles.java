package dev.upcall.fileman.blocking;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fileman.AsyncFiles;
import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fileman.StorePath;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.PassivePort;
import dev.upcall.fsm.RequestDoor;
import dev.upcall.fsm.Unit;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentSlice;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.Durability;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Requests through a door, completions back through a passive port. */
final class DoorAsyncFiles implements AsyncFiles {
  private static final LeaseOwner OWNER = new LeaseOwner("async-files", 0);

  private final FileManager files;
  private final RequestDoor door;
  private final PassivePort<Runnable> arrived;
  private int outstanding;

  DoorAsyncFiles(FileManager files, int capacity) {
    this.files = files;
    this.door = new RequestDoor("async files", capacity, files.dispatcher());
    this.arrived = new PassivePort<>(files.dispatcher());
  }

  @Override
  public void stat(StorePath path, LinkPolicy links, CompletionPort<FileInfo> port) {
    request(inner -> files.stat(path, links, inner), port);
  }

  @Override
  public void read(StorePath path, long offset, int maxBytes, CompletionPort<byte[]> port) {
    if (maxBytes < 0 || maxBytes > MAX_READ_BYTES) {
      later(port, new Failure.Invalid("a read has 0 to %d bytes".formatted(MAX_READ_BYTES)));
      return;
    }
    request(inner -> read(files, path, new Range(offset, maxBytes), inner), port);
  }

  @Override
  public void list(
      StorePath directory, @Nullable String afterName, int limit, CompletionPort<Listing> port) {
    request(inner -> files.list(directory, afterName, limit, inner), port);
  }

  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    request(inner -> files.batch(requests, durability, inner), port);
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    request(files::flush, port);
  }

  @Override
  public int poll(int limit) {
    int ran = 0;
    while (ran < limit) {
      Completion<Runnable> next = arrived.poll();
      if (next == null) {
        break;
      }
      run(next);
      ran++;
    }
    return ran;
  }

  @Override
  public int await(int limit, long timeoutNanos) throws InterruptedException {
    Completion<Runnable> first = arrived.take(timeoutNanos);
    if (first == null) {
      return 0;
    }
    run(first);
    return 1 + poll(limit - 1);
  }

  @Override
  public int outstanding() {
    return outstanding;
  }

  @Override
  public void close() {
    door.close();
    arrived.close();
  }

  private record Range(long offset, int maxBytes) {}

  private <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    outstanding++;
    boolean entered;
    try {
      entered =
          door.offer(
              request,
              (Completion<T> completion) ->
                  arrived.complete(Completion.done(() -> port.complete(completion))));
    } catch (RejectedExecutionException ended) {
      arrived.complete(
          Completion.done(() -> port.complete(Completion.failed(new Failure.Closed("the store")))));
      return;
    }
    if (!entered) {
      arrived.complete(
          Completion.done(() -> port.complete(Completion.failed(new Failure.Busy(door.name())))));
    }
  }

  private <T> void later(CompletionPort<T> port, Failure failure) {
    outstanding++;
    arrived.complete(Completion.done(() -> port.complete(Completion.failed(failure))));
  }

  private void run(Completion<Runnable> arrival) {
    outstanding--;
    Calls.value(arrival).run();
  }

  /** Dispatcher's thread: one range, copied there because it is small. */
  private static void read(
      FileManager files, StorePath path, Range range, CompletionPort<byte[]> port) {
    files.openRead(
        path,
        OWNER,
        opened -> {
          switch (opened) {
            case Completion.Failed<OpenFile> failed -> port.complete(failed.cast());
            case Completion.Done<OpenFile>(OpenFile file) -> {
              PinnedContent content = file.content();
              if (content == null) {
                port.complete(Completion.failed(new Failure.IsADirectory(path.toString())));
              } else {
                read(content, range, port);
              }
            }
          }
        });
  }

  private static void read(PinnedContent content, Range range, CompletionPort<byte[]> port) {
    content.read(
        range.offset(),
        range.maxBytes(),
        IoClass.FOREGROUND_READ,
        completion -> {
          content.close();
          switch (completion) {
            case Completion.Failed<ContentSlice> failed -> port.complete(failed.cast());
            case Completion.Done<ContentSlice>(ContentSlice slice) -> {
              byte[] bytes = new byte[slice.sizeBytes()];
              Slices.moveTo(ByteBuffer.wrap(bytes), slice);
              port.complete(Completion.done(bytes));
            }
          }
        });
  }
}
