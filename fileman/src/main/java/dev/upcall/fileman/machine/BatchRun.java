package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.plan.Looks.ContentChoice;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.StagerConfig;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One batch on its way: stages what was given as bytes, then commits everything at once. */
public final class BatchRun extends StateMachine<BatchState> {
  public static final Transitions<BatchState> TRANSITIONS =
      Transitions.of("Batch", BatchState.class, BatchState.WAITING)
          .on("memory granted", BatchState.WAITING, BatchState.STAGING)
          .on("all content is staged", BatchState.STAGING, BatchState.COMMITTING)
          .on("staging failed", BatchState.STAGING, BatchState.OVER)
          .on("acknowledged or refused", BatchState.COMMITTING, BatchState.OVER)
          .build();

  private static final LeaseOwner OWNER = new LeaseOwner("file-batch", 0);
  private static final int SMALL_BYTES = StagerConfig.standard().unplacedBytes();

  private final Store store;
  private final FileBatch batch;
  private final BatchTarget target;
  private final CompletionPort<BatchResult> port;
  private final Runnable whenStaged;
  private final List<FileRequest> ready;
  private final List<StagedContent> staged = new ArrayList<>();

  /**
   * A batch.
   *
   * @param whenStaged run once when nothing is left to stage, or staging failed
   */
  BatchRun(
      Store store,
      FileBatch batch,
      BatchTarget target,
      Runnable whenStaged,
      CompletionPort<BatchResult> port) {
    super(TRANSITIONS, store.dispatcher());
    this.store = store;
    this.batch = batch;
    this.target = target;
    this.whenStaged = whenStaged;
    this.port = port;
    this.ready = new ArrayList<>(batch.requests().size());
  }

  /** Memory for the bytes is granted. */
  void start() {
    become(BatchState.STAGING);
    stageNext();
  }

  /** Goes through the requests up to the next one that has bytes. */
  private void stageNext() {
    while (ready.size() < batch.requests().size()) {
      FileRequest request = batch.requests().get(ready.size());
      if (request instanceof FileRequest.Put put) {
        switch (put.content()) {
          case FileContent.Bytes(byte[] bytes) -> {
            stage(put, bytes);
            return;
          }
          case FileContent.Staged(StagedContent content) -> staged.add(content);
          case FileContent.Following _ -> {
            // The planner refuses it.
          }
        }
      }
      ready.add(request);
    }
    commit();
  }

  /** Of content that may be compressed is looked for first what is said of it. */
  private void stage(FileRequest.Put put, byte[] bytes) {
    if (bytes.length <= SMALL_BYTES) {
      stage(put, bytes, Compression.NONE);
      return;
    }
    store.query(
        Looks.putTarget(put.path(), put.options()),
        completion -> {
          // A look that fails is no verdict: what is missing an earlier request may make.
          ContentChoice choice =
              completion instanceof Completion.Done<ContentChoice>(ContentChoice said)
                  ? said
                  : ContentChoice.of(put.options().metadata().attributes());
          stage(put, bytes, choice.compression().orElse(store.staging().config().compression()));
        });
  }

  private void stage(FileRequest.Put put, byte[] bytes, Compression compression) {
    Failure refused = store.refusesContent();
    if (refused != null) {
      failed(refused);
      return;
    }
    // What all batches hold together is bounded by their queue.
    ContentStager stager = store.stageGranted(OWNER, compression);
    CompletionPort<StagedContent> finished =
        completion -> {
          switch (completion) {
            case Completion.Failed<StagedContent> failed -> abandon(stager, failed.cast());
            case Completion.Done<StagedContent>(StagedContent content) -> {
              staged.add(content);
              ready.add(
                  new FileRequest.Put(put.path(), new FileContent.Staged(content), put.options()));
              stageNext();
            }
          }
        };
    if (bytes.length == 0) {
      stager.finish(finished);
      return;
    }
    stager.append(
        ByteBuffer.wrap(bytes),
        completion -> {
          switch (completion) {
            case Completion.Failed<Unit> failed -> abandon(stager, failed.cast());
            case Completion.Done<Unit> _ -> stager.finish(finished);
          }
        });
  }

  private void abandon(ContentStager stager, Completion<BatchResult> failed) {
    stager.discard();
    whenStaged.run();
    end(failed);
  }

  /** The refusal may come inside the call that made the request, so it goes through the FIFO. */
  private void failed(Failure refused) {
    store
        .dispatcher()
        .post(
            () -> {
              whenStaged.run();
              end(Completion.failed(refused));
            });
  }

  private void commit() {
    become(BatchState.COMMITTING);
    whenStaged.run();
    FileBatch complete = new FileBatch(batch.timeNanos(), ready);
    target.take(complete, staged, this::committed);
  }

  private void committed(Completion<BatchResult> completion) {
    become(BatchState.OVER);
    port.complete(completion);
  }

  private void end(Completion<BatchResult> completion) {
    become(BatchState.OVER);
    // Whatever the outcome the batch has used its content up.
    discardFrom(ready.size());
    staged.forEach(StagedContent::discard);
    port.complete(completion);
  }

  /** After a failure in the middle: content further back was never looked at. */
  private void discardFrom(int index) {
    for (FileRequest request : batch.requests().subList(index, batch.requests().size())) {
      discardContent(request);
    }
  }

  /** Frees the content that a request was to take. */
  static void discardContent(FileRequest request) {
    if (request instanceof FileRequest.Put(_, FileContent.Staged(StagedContent content), _)) {
      content.discard();
    }
  }
}
