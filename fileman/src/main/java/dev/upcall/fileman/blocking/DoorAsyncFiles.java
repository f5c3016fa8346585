package dev.upcall.fileman.blocking;

import dev.upcall.fileman.AsyncFiles;
import dev.upcall.fileman.AsyncTransaction;
import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.FileTransaction;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Unit;
import dev.upcall.txn.Durability;
import java.util.List;

/** Requests through a door, completions back through a passive port. */
final class DoorAsyncFiles extends DoorReads implements AsyncFiles {
  private final FileManager files;
  private final AsyncDoor door;

  DoorAsyncFiles(FileManager files, int capacity) {
    this(files, new AsyncDoor(files.dispatcher(), capacity));
  }

  private DoorAsyncFiles(FileManager files, AsyncDoor door) {
    super(files, door);
    this.files = files;
    this.door = door;
  }

  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    door.request(inner -> files.batch(requests, durability, inner), port);
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    door.request(files::flush, port);
  }

  @Override
  public void begin(CompletionPort<AsyncTransaction> port) {
    door.<FileTransaction>request(
        files::begin,
        completion ->
            port.complete(
                switch (completion) {
                  case Completion.Failed<FileTransaction> failed -> failed.cast();
                  case Completion.Done<FileTransaction>(FileTransaction begun) ->
                      Completion.done(new DoorTransaction(begun, door));
                }));
  }

  @Override
  public int poll(int limit) {
    return door.poll(limit);
  }

  @Override
  public int await(int limit, long timeoutNanos) throws InterruptedException {
    return door.await(limit, timeoutNanos);
  }

  @Override
  public int outstanding() {
    return door.outstanding();
  }

  @Override
  public void close() {
    door.close();
  }
}
