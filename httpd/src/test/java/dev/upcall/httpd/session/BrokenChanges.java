package dev.upcall.httpd.session;

import dev.upcall.BatchResult;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.List;

/** Changes of a store that are wrong on purpose: the judge must notice. */
final class BrokenChanges implements SiteChanges {
  /** What is wrong. */
  enum Fault {
    /** A PUT is acknowledged when it is applied, before it is durable. */
    ACKNOWLEDGES_EARLY,
    /** An upload whose client has gone away becomes a file all the same. */
    KEEPS_HALF_FILES,
    /** A DELETE is acknowledged when it is applied, before it is durable. */
    DELETES_EARLY,
    /** A PATCH is acknowledged when it is applied, before it is durable. */
    EDITS_EARLY,
    /** The changes of one PATCH are done one after the other. */
    EDITS_ONE_BY_ONE,
    /** The offset of a resumable upload is told when it is applied, before it is durable. */
    UPLOADS_EARLY
  }

  private final FileManager files;
  private final Fault fault;

  BrokenChanges(FileManager files, Fault fault) {
    this.files = files;
    this.fault = fault;
  }

  @Override
  public void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
    switch (fault) {
      case ACKNOWLEDGES_EARLY, KEEPS_HALF_FILES ->
          files.dispatcher().complete(port, Completion.done(new Handle(path, options)));
      case DELETES_EARLY, EDITS_EARLY, EDITS_ONE_BY_ONE, UPLOADS_EARLY ->
          files.put(path, options, port);
    }
  }

  @Override
  public void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
    if (fault == Fault.DELETES_EARLY) {
      files.batch(
          List.of(new FileRequest.Delete(path, condition)),
          Durability.ASYNC,
          completion ->
              port.complete(
                  switch (completion) {
                    case Completion.Done<BatchResult> done -> Completion.done();
                    case Completion.Failed<BatchResult> failed -> failed.cast();
                  }));
    } else {
      files.delete(path, condition, port);
    }
  }

  @Override
  public void look(StorePath path, CompletionPort<FileInfo> port) {
    SiteChanges.of(files).look(path, port);
  }

  @Override
  public void place(StorePath path, CompletionPort<Resolved> port) {
    SiteChanges.of(files).place(path, port);
  }

  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<FileInfo> port) {
    if (fault == Fault.UPLOADS_EARLY) {
      files.batch(requests, Durability.ASYNC, result -> port.complete(last(result)));
    } else {
      SiteChanges.of(files).batch(requests, durability, port);
    }
  }

  @Override
  public void edit(List<FileRequest.Splice> edits, CompletionPort<FileInfo> port) {
    switch (fault) {
      case EDITS_EARLY ->
          files.batch(
              SiteChanges.copy(edits), Durability.ASYNC, result -> port.complete(last(result)));
      case EDITS_ONE_BY_ONE -> editFirst(edits, port);
      case ACKNOWLEDGES_EARLY, KEEPS_HALF_FILES, DELETES_EARLY, UPLOADS_EARLY ->
          SiteChanges.of(files).edit(edits, port);
    }
  }

  private void editFirst(List<FileRequest.Splice> edits, CompletionPort<FileInfo> port) {
    List<FileRequest.Splice> rest = edits.subList(1, edits.size());
    SiteChanges.of(files)
        .edit(
            edits.subList(0, 1),
            completion -> {
              if (rest.isEmpty() || completion instanceof Completion.Failed<FileInfo>) {
                port.complete(completion);
              } else {
                editFirst(rest.stream().map(BrokenChanges::unconditional).toList(), port);
              }
            });
  }

  /** After the first edit the file has another version. */
  private static FileRequest.Splice unconditional(FileRequest.Splice edit) {
    return new FileRequest.Splice(edit.path(), edit.offset(), edit.removed(), edit.bytes());
  }

  private static Completion<FileInfo> last(Completion<BatchResult> result) {
    return result.map(done -> done.files().getLast().orElseThrow());
  }

  private final class Handle implements PutHandle {
    private final StorePath path;
    private final PutOptions options;
    private final ContentStager stager = files.stage(new LeaseOwner("canary", 0));
    private boolean appending;
    private boolean over;

    private Handle(StorePath path, PutOptions options) {
      this.path = path;
      this.options = options;
    }

    @Override
    public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
      appending = true;
      stager.append(
          bytes,
          completion -> {
            appending = false;
            if (over) {
              abandonNow();
            }
            port.complete(completion);
          });
    }

    @Override
    public long sizeBytes() {
      return stager.sizeBytes();
    }

    @Override
    public void commit(Durability asked, CompletionPort<FileInfo> port) {
      over = true;
      Durability durability =
          fault == Fault.ACKNOWLEDGES_EARLY ? Durability.ASYNC : Durability.SYNC;
      stager.finish(
          completion -> {
            switch (completion) {
              case Completion.Failed<StagedContent> failed -> {
                stager.discard();
                port.complete(failed.cast());
              }
              case Completion.Done<StagedContent>(StagedContent content) ->
                  files.batch(
                      List.of(new FileRequest.Put(path, new FileContent.Staged(content), options)),
                      durability,
                      result -> port.complete(first(result)));
            }
          });
    }

    private static Completion<FileInfo> first(Completion<BatchResult> result) {
      return switch (result) {
        case Completion.Failed<BatchResult> failed -> failed.cast();
        case Completion.Done<BatchResult>(BatchResult done) ->
            Completion.done(done.files().getFirst().orElseThrow());
      };
    }

    @Override
    public void abandon() {
      if (!over) {
        over = true;
        if (!appending) {
          abandonNow();
        }
      }
    }

    private void abandonNow() {
      if (fault == Fault.KEEPS_HALF_FILES) {
        commit(ignored -> {});
      } else {
        stager.discard();
      }
    }
  }
}
