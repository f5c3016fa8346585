package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.txn.ReadSource;
import java.util.List;

/** One opening for reading and writing on its way: look, make what is missing, open, truncate. */
public final class OpenRun extends StateMachine<OpenState> {
  public static final Transitions<OpenState> TRANSITIONS =
      Transitions.of("Open", OpenState.class, OpenState.LOOKING)
          .on("it exists", OpenState.LOOKING, OpenState.OPENING)
          .on("it does not exist and may be made", OpenState.LOOKING, OpenState.CREATING)
          .on("refused", OpenState.LOOKING, OpenState.OVER)
          .on("made", OpenState.CREATING, OpenState.OPENING)
          .on("somebody else made it first", OpenState.CREATING, OpenState.LOOKING)
          .on("refused", OpenState.CREATING, OpenState.OVER)
          .on("opened to be emptied", OpenState.OPENING, OpenState.EMPTYING)
          .on("opened, or gone meanwhile", OpenState.OPENING, OpenState.OVER)
          .on("emptied, or failed", OpenState.EMPTYING, OpenState.OVER)
          .build();

  private final ReadSource reading;
  private final StorePath path;
  private final OpenMode mode;
  private final StorePutHandle.Committer committer;
  private final Opener opener;
  private final CompletionPort<SegmentHandle> port;

  /** How a segment gets opened. */
  interface Opener {
    void open(Segments.Target target, CompletionPort<SegmentHandle> port);
  }

  /**
   * What openings share.
   *
   * @param dispatcher whose thread it is
   * @param reading what to look in
   * @param committer makes files
   * @param opener opens segments
   */
  record Parts(
      Dispatcher dispatcher,
      ReadSource reading,
      StorePutHandle.Committer committer,
      Opener opener) {}

  OpenRun(Parts parts, StorePath path, OpenMode mode, CompletionPort<SegmentHandle> port) {
    super(TRANSITIONS, parts.dispatcher());
    this.reading = parts.reading();
    this.committer = parts.committer();
    this.opener = parts.opener();
    this.path = path;
    this.mode = mode;
    this.port = port;
  }

  /** Begins. */
  void look() {
    reading.query(
        Looks.stat(path, LinkPolicy.FOLLOW),
        completion -> {
          switch (completion) {
            case Completion.Failed<FileInfo>(Failure failure) -> {
              if (failure instanceof Failure.NotFound && mode.existence() != Existence.MUST_EXIST) {
                create();
              } else {
                refuse(failure);
              }
            }
            case Completion.Done<FileInfo>(FileInfo found) -> found(found);
          }
        });
  }

  private void found(FileInfo info) {
    if (mode.existence() == Existence.MUST_NOT_EXIST) {
      refuse(new Failure.AlreadyExists(path.toString()));
      return;
    }
    Failure noContent = Looks.noContent(info.kind(), path.toString());
    if (noContent != null) {
      refuse(noContent);
    } else {
      open(info.id(), mode.existing() == OpenMode.Existing.TRUNCATE && info.sizeBytes() > 0);
    }
  }

  private void create() {
    become(OpenState.CREATING);
    PutOptions options =
        new PutOptions(
            FileCondition.ABSENT,
            mode.parents(),
            LinkPolicy.FOLLOW,
            MetadataChange.NONE.withMode(mode.mode()));
    FileRequest put = new FileRequest.Put(path, new FileContent.Bytes(new byte[0]), options);
    committer.commit(
        List.of(put),
        Durability.SYNC,
        completion -> {
          switch (completion) {
            case Completion.Failed<BatchResult>(Failure failure) -> {
              if (failure instanceof Failure.AlreadyExists
                  && mode.existence() != Existence.MUST_NOT_EXIST) {
                become(OpenState.LOOKING);
                look();
              } else {
                refuse(failure);
              }
            }
            case Completion.Done<BatchResult>(BatchResult made) -> open(made.only().id(), false);
          }
        });
  }

  private void open(long id, boolean truncate) {
    become(OpenState.OPENING);
    opener.open(
        new Segments.Target(id, path.toString()),
        completion -> {
          if (truncate
              && completion instanceof Completion.Done<SegmentHandle>(SegmentHandle handle)) {
            empty(handle);
          } else {
            end(completion);
          }
        });
  }

  private void empty(SegmentHandle handle) {
    become(OpenState.EMPTYING);
    handle.truncate(
        0,
        completion -> {
          switch (completion) {
            case Completion.Failed<Unit> failed -> giveUp(handle, failed);
            case Completion.Done<Unit> _ -> handle.flush(flushed -> emptied(handle, flushed));
          }
        });
  }

  private void emptied(SegmentHandle handle, Completion<Unit> completion) {
    switch (completion) {
      case Completion.Failed<Unit> failed -> giveUp(handle, failed);
      case Completion.Done<Unit> _ -> end(Completion.done(handle));
    }
  }

  private void giveUp(SegmentHandle handle, Completion.Failed<Unit> failed) {
    handle.abandon();
    end(failed.cast());
  }

  private void refuse(Failure failure) {
    end(Completion.failed(failure));
  }

  private void end(Completion<SegmentHandle> completion) {
    become(OpenState.OVER);
    port.complete(completion);
  }
}
