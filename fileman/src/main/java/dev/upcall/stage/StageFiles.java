package dev.upcall.stage;

import dev.upcall.BatchResult;
import dev.upcall.FileManagerInfo;
import dev.upcall.Listing;
import dev.upcall.UpcallConfig;
import dev.upcall.content.StagedContent;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.StoreInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;

/**
 * A store for programs that compose: nothing waits, and every operation answers a stage. Any thread
 * may call; requests of one thread begin in the order in which it makes them.
 *
 * <p><b>Where stages complete.</b> On the executor that was given to {@link
 * dev.upcall.FsmUpcall#newStageFiles}, never on the store's own thread: where an executor refuses,
 * or would run there, a virtual thread of its own runs the completion. Looks at names and metadata,
 * and reads of files up to 64 KiB, whose answer is in memory are answered by the caller's thread
 * itself: their stage has completed when it is returned. (After 32 such answers in a row a thread
 * gets one behind which all runs on the executor, so that a loop of stages is no recursion.) The
 * store's own thread may ask, and cannot wait: {@code join} there is an {@link
 * IllegalStateException}.
 *
 * <p><b>Failures.</b> A stage fails with an {@link dev.upcall.UpcallException}; when the store's
 * thread has died, with a {@link dev.upcall.fsm.DispatcherStoppedException}. As with all stages,
 * stages behind it see that as the cause of a {@link java.util.concurrent.CompletionException}.
 *
 * <p><b>Back-pressure.</b> Only so many requests are inside the store ({@link
 * StageLimits#maxInside}); further ones stand in line and are begun in the order of coming. Only
 * when the line is full, too, one is {@code Busy}. Who would rather make requests at the pace of
 * the store begins each behind {@link #whenRoom}.
 *
 * <p><b>Cancellation and deadlines.</b> {@code stage.toCompletableFuture().cancel(false)} gives a
 * request up: what has not begun never will, and what was opened for nobody is closed. What has
 * begun goes on: a change may take effect though its stage was cancelled. {@link #within} gives
 * each request a deadline, at which its stage fails with {@code Cancelled}, whose words say whether
 * the request had begun. That holds as well for a request whose content a publisher has yet to
 * send.
 *
 * <pre>{@code
 * StageFiles files = store.newStageFiles(executor);
 * files.readAllBytes("/orders/17")
 *     .thenCompose(order -> files.write("/bills/17", text(parse(order))))
 *     .thenAccept(bill -> System.out.println(bill.sizeBytes()));
 * }</pre>
 */
public interface StageFiles extends StageChanges, AutoCloseable {
  /** The same door, of which each request has until so long after it was made. */
  StageFiles within(Duration deadline);

  /**
   * Completes when a request that is made then goes in at once: now, or when all that stand in line
   * before it have begun.
   */
  CompletionStage<Void> whenRoom();

  /** How much may be asked at once. */
  StageLimits limits();

  /** Requests inside the store now. */
  int inside();

  /** Requests that stand in line now. */
  int waiting();

  /** Commits many requests as one; see {@link dev.upcall.FileManager#batch}. */
  default CompletionStage<BatchResult> batch(List<FileRequest> requests, Durability durability) {
    return ask(new Change.Batch(requests, durability));
  }

  /**
   * Brings content to the store for a {@link FileRequest.Put} of a later {@link #batch}, or to be
   * discarded with {@link #discard}. The publisher has its subscriber when this returns.
   */
  CompletionStage<StagedContent> stage(Flow.Publisher<ByteBuffer> content);

  /** Gives up staged content that no batch took. */
  CompletionStage<Void> discard(StagedContent content);

  /**
   * What becomes of the entries of a directory, by whichever door, for any number of subscribers:
   * each hears of every change that is applied after its {@code onSubscribe}, in the order of
   * commits, where stages complete, and sees it when it looks then. It may not be durable yet,
   * which {@link #flush} waits for. Nobody waits for a subscriber: the first 4,096 changes beyond
   * what it has requested are kept for it, then it is told that some are missing ({@code
   * OVERFLOWED}). Ends with {@code onComplete} when the directory, or the store, is gone; a
   * directory that is renamed stays watched, under the path that was given. What cannot be watched
   * comes as {@code onError} with an {@link dev.upcall.UpcallException}. Costs memory for each
   * entry of the directory.
   *
   * <pre>{@code
   * files.changes("/orders").subscribe(new Flow.Subscriber<>() {
   *   Flow.Subscription changes;
   *   public void onSubscribe(Flow.Subscription begun) {
   *     changes = begun;
   *     changes.request(1);
   *   }
   *   public void onNext(Listing.Change change) {
   *     switch (change.kind()) {
   *       case CREATED, MODIFIED -> index(change.path()).thenRun(() -> changes.request(1));
   *       case DELETED -> changes.request(1);
   *       case OVERFLOWED -> files.forEach(change.path(), order -> {}).thenRun(() -> changes.request(1));
   *     }
   *   }
   *   public void onError(Throwable failed) {}
   *   public void onComplete() {}
   * });
   * }</pre>
   */
  Flow.Publisher<Listing.Change> changes(CharSequence directory);

  /** See {@link dev.upcall.FsmUpcall#begin}. */
  CompletionStage<StageTransaction> begin();

  /**
   * Does something as one transaction, and commits it, durably, behind the stage that the body
   * answers; see {@link dev.upcall.FsmUpcall#transact} for when the body runs again. It runs where
   * stages complete, and must return its stage, not wait for it. What it throws, or its stage fails
   * with, rolls back and is the failure of this stage. A stage that is cancelled rolls back, too,
   * unless the commit has begun.
   *
   * <pre>{@code
   * files.transact(transfer ->
   *     transfer.readAllBytes("/sum")
   *         .thenCompose(sum -> transfer.write("/sum", text(parse(sum) + 10))));
   * }</pre>
   */
  <T> CompletionStage<T> transact(
      Function<? super StageTransaction, ? extends CompletionStage<T>> body);

  /** See {@link dev.upcall.FsmUpcall#snapshot()}. */
  CompletionStage<StageSnapshot> snapshot();

  /** Opens a snapshot with a name for reading. Must be closed. */
  CompletionStage<StageSnapshot> snapshot(String name);

  /** See {@link dev.upcall.FsmUpcall#createSnapshot}. */
  CompletionStage<NamedSnapshot> createSnapshot(String name);

  /** All snapshots with names, oldest first, and what each holds alone. */
  CompletionStage<NamedSnapshotList> snapshots();

  /** Drops a snapshot with a name; those who have it open read on. */
  CompletionStage<Void> dropSnapshot(String name);

  /** Completes when everything acknowledged or seen before is durable. */
  CompletionStage<Void> flush();

  /** Writes a checkpoint, so that the next opening has nothing to recover. */
  CompletionStage<Void> checkpoint();

  /** Numbers of the store. */
  CompletionStage<StoreInfo> info();

  /** Numbers of the file manager. */
  CompletionStage<FileManagerInfo> fileManagerInfo();

  /** The settings that the store was opened with. */
  UpcallConfig config();

  /**
   * Gives the door up, not the store: what stands in line, and what comes later, is {@code Closed};
   * what is inside completes. Harmless when done before. What is open through it must be closed
   * before, or stays open until the store is closed.
   */
  @Override
  void close();
}
