package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.FileChanges;
import dev.upcall.FileContent;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileOperation;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.plan.Looks.ContentChoice;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.Stager;
import dev.upcall.store.Durability;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.Store;
import dev.upcall.txn.dedup.DedupStager;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Changes files, at once or as a part of a transaction, and reads them. */
abstract class StoreChanges extends StoreReads implements FileChanges {
  static final LeaseOwner HANDLE_OWNER = new LeaseOwner("file-handle", 0);

  private static final LeaseOwner PUT_OWNER = new LeaseOwner("file-put", 0);

  private final Parts parts;
  private final ReadSource reading;

  /**
   * What the file manager and its transactions share.
   *
   * @param store where new content goes
   * @param entrance lets requests in
   * @param handles what a close gives up
   * @param stepEntries how many entries of a directory one look goes over
   */
  record Parts(Store store, Entrance entrance, OpenHandles handles, int stepEntries) {}

  /**
   * Changes and reads.
   *
   * @param reading what is seen
   */
  StoreChanges(Parts parts, ReadSource reading) {
    super(reading, parts.entrance(), parts.stepEntries());
    this.parts = parts;
    this.reading = reading;
  }

  final Parts parts() {
    return parts;
  }

  /** Does requests as one; their content is used up whatever the outcome. */
  abstract void submit(
      List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port);

  /** Opens a file's content. */
  abstract void openSegment(Segments.Target target, CompletionPort<SegmentHandle> port);

  /** Whether new content may become a clone of a file that has the same. */
  abstract boolean mayShare();

  /** A handle was opened. */
  void opened(StoreFileHandle handle) {}

  /** A handle has ended. */
  void closed(StoreFileHandle handle) {}

  @Override
  public final void open(CharSequence path, OpenMode mode, CompletionPort<FileHandle> port) {
    Objects.requireNonNull(mode, "mode");
    at(path, port, parsed -> openAt(parsed, mode, port));
  }

  private void openAt(StorePath path, OpenMode mode, CompletionPort<FileHandle> port) {
    CompletionPort<FileHandle> inside = parts.entrance().enter(FileOperation.OPEN, port);
    if (inside != null) {
      CompletionPort<SegmentHandle> opened =
          completion -> inside.complete(completion.map(segment -> newHandle(path, segment)));
      OpenRun.Parts openParts =
          new OpenRun.Parts(parts.store().dispatcher(), reading, this::submit, this::openSegment);
      OpenRun run = new OpenRun(openParts, path, mode, opened);
      run.look();
    }
  }

  @Override
  @SuppressWarnings("unchecked") // each kind is a change for what it leaves
  public final <R> void ask(Change<R> change, CompletionPort<R> port) {
    Objects.requireNonNull(change, "change");
    Objects.requireNonNull(port, "port");
    switch (change) {
      case FileRequest request -> one(request, (CompletionPort<Optional<FileInfo>>) port);
      case Change.Batch batch ->
          enter(
              batch.operation(),
              batch.requests(),
              batch.durability(),
              (CompletionPort<BatchResult>) port);
      case Change.Write write -> write(write, (CompletionPort<FileInfo>) port);
      case Change.Edit edit ->
          openAt(edit.path(), edit.mode(), new OneEdit(edit, (CompletionPort<FileInfo>) port));
    }
  }

  private void one(FileRequest request, CompletionPort<Optional<FileInfo>> port) {
    enter(
        request.operation(),
        List.of(request),
        Durability.SYNC,
        completion -> port.complete(completion.map(result -> result.files().getFirst())));
  }

  private void write(Change.Write write, CompletionPort<FileInfo> port) {
    byte[] content = write.content();
    if (write.isSmall()) {
      FileRequest put =
          new FileRequest.Put(write.path(), new FileContent.Bytes(content), write.options());
      one(put, made -> port.complete(made.map(Optional::orElseThrow)));
    } else {
      putAt(write.path(), write.options(), port.then(put -> putWhole(put, content, port)));
    }
  }

  private static void putWhole(PutHandle put, byte[] content, CompletionPort<FileInfo> port) {
    put.append(
        ByteBuffer.wrap(content),
        appended -> {
          if (appended instanceof Completion.Failed<Unit> failed) {
            put.abandon();
            port.complete(failed.cast());
          } else {
            put.commit(port);
          }
        });
  }

  private FileHandle newHandle(StorePath path, SegmentHandle segment) {
    OpenHandles.Place place = parts.handles().place();
    StoreFileHandle handle =
        new StoreFileHandle(
            reading,
            parts.entrance(),
            path,
            segment,
            ended -> {
              place.leave();
              closed(ended);
            });
    place.take(handle::abandon);
    opened(handle);
    return handle;
  }

  @Override
  public final void put(CharSequence path, PutOptions options, CompletionPort<PutHandle> port) {
    Objects.requireNonNull(options, "options");
    at(path, port, parsed -> putAt(parsed, options, port));
  }

  private void putAt(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
    CompletionPort<PutHandle> inside = parts.entrance().enter(FileOperation.PUT_BEGIN, port);
    if (inside != null) {
      parts.entrance().inputs().put(path, options);
      reading.query(
          Looks.putTarget(path, options),
          completion -> inside.complete(beginPut(completion, path, options)));
    }
  }

  /** Lets requests in as one operation; their content is used up whatever the outcome. */
  final void enter(
      FileOperation operation,
      List<FileRequest> requests,
      Durability durability,
      CompletionPort<BatchResult> port) {
    List<FileRequest> all = Change.Batch.copy(requests);
    Objects.requireNonNull(durability, "durability");
    CompletionPort<BatchResult> inside = parts.entrance().enter(operation, port);
    if (inside == null) {
      all.forEach(BatchRun::discardContent);
    } else {
      parts.entrance().inputs().changes(all, durability);
      submit(all, durability, inside);
    }
  }

  private Completion<PutHandle> beginPut(
      Completion<ContentChoice> target, StorePath path, PutOptions options) {
    Failure refused =
        FileBatch.refuses(parts.store().staging().codecs(), options.metadata())
            .orElseGet(parts.store()::refusesContent);
    return switch (target) {
      case Completion.Failed<ContentChoice> failed -> failed.cast();
      case Completion.Done<ContentChoice> _ when refused != null -> Completion.failed(refused);
      case Completion.Done<ContentChoice>(ContentChoice choice) ->
          Completion.done(newPut(path, options, choice));
    };
  }

  private PutHandle newPut(StorePath path, PutOptions options, ContentChoice choice) {
    OpenHandles.Place place = parts.handles().place();
    FileRequest.Put request =
        new FileRequest.Put(path, new FileContent.Bytes(new byte[0]), options);
    Compression usual = parts.store().staging().config().compression();
    Stager own = parts.store().stage(PUT_OWNER, choice.compression().orElse(usual));
    boolean compares = mayShare() && choice.dedup().orElse(own.dedup().usual()) == Dedup.FILE;
    ContentStager stager = compares ? new DedupStager(parts.store(), own, PUT_OWNER) : own;
    StorePutHandle handle =
        new StorePutHandle(parts.entrance(), request, stager, this::submit, place::leave);
    place.take(handle::abandon);
    parts.entrance().inputs().begun(handle.machineNumber());
    return handle;
  }
}
