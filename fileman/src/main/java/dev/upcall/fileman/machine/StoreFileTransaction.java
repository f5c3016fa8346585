package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.FileOperation;
import dev.upcall.FileTransaction;
import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.content.Times;
import dev.upcall.fileman.plan.BatchPlanner;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Staged;
import dev.upcall.store.Durability;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A transaction of the store, in which files are changed. */
final class StoreFileTransaction extends StoreChanges implements FileTransaction {
  private static final Failure COMPARED =
      new Failure.Invalid(
          "a transaction takes no content that was compared with files; stage it without"
              + " Dedup.FILE");

  private final Transaction transaction;
  private final BatchQueue batches;
  private final Background background;
  private long firstExpiryNanos = Times.NEVER;
  private boolean detaches;
  private final Set<StoreFileHandle> handles = new LinkedHashSet<>();
  private boolean over;

  /** What has to hear of commits. */
  interface Background {
    /**
     * Something was committed.
     *
     * @param firstExpiryNanos when the first of it expires
     * @param detaches whether whole trees were deleted
     */
    void changed(long firstExpiryNanos, boolean detaches);
  }

  StoreFileTransaction(
      Parts parts, Transaction transaction, BatchQueue batches, Background background) {
    super(parts, transaction);
    this.transaction = transaction;
    this.batches = batches;
    this.background = background;
    transaction.whenOver(this::over);
  }

  private void over() {
    over = true;
    List.copyOf(handles).forEach(StoreFileHandle::endWithTransaction);
  }

  @Override
  public long id() {
    return transaction.id();
  }

  @Override
  public long scn() {
    return transaction.scn();
  }

  /** Its steps are planned on what it sees, while others make contents known. */
  @Override
  boolean mayShare() {
    return false;
  }

  @Override
  void submit(List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port) {
    batches.submit(
        requests,
        (batch, content, taken) -> {
          if (content.stream().anyMatch(Staged.Hashed.class::isInstance)) {
            content.forEach(StagedContent::discard);
            taken.complete(Completion.failed(COMPARED));
            return;
          }
          BatchPlanner planner = new BatchPlanner(batch);
          if (BatchPlanner.edits(requests)) {
            EditingBatch.addTo(transaction, parts().store(), planner, content, taken);
            return;
          }
          transaction.change(
              new TransactionStep<>(
                  planner.purpose(), SegmentChange.of(planner), List.copyOf(content)),
              taken);
        },
        completion -> {
          if (completion instanceof Completion.Done<BatchResult>(BatchResult result)) {
            firstExpiryNanos = Math.min(firstExpiryNanos, result.firstExpiryNanos());
            detaches |= detaches(requests);
          }
          port.complete(completion);
        });
  }

  @Override
  public void commit(Durability durability, CompletionPort<Long> port) {
    Objects.requireNonNull(durability, "durability");
    CompletionPort<Long> inside = parts().entrance().enter(FileOperation.TRANSACTION_COMMIT, port);
    if (inside == null) {
      return;
    }
    flush(
        List.copyOf(handles).iterator(),
        flushed -> {
          switch (flushed) {
            case Completion.Failed<Unit> failed -> {
              transaction.rollback();
              inside.complete(failed.cast());
            }
            case Completion.Done<Unit> _ -> commitFlushed(durability, inside);
          }
        });
  }

  /** What handles have collected belongs to it: nobody who writes and commits expects less. */
  private void flush(Iterator<StoreFileHandle> left, CompletionPort<Unit> port) {
    if (!left.hasNext()) {
      port.complete(Completion.done());
      return;
    }
    left.next()
        .flushLast(
            completion -> {
              if (completion instanceof Completion.Failed<Unit>) {
                port.complete(completion);
              } else {
                flush(left, port);
              }
            });
  }

  private void commitFlushed(Durability durability, CompletionPort<Long> port) {
    transaction.commit(
        durability,
        completion -> {
          if (completion instanceof Completion.Done<Long>) {
            background.changed(firstExpiryNanos, detaches);
          }
          port.complete(completion);
        });
  }

  @Override
  void openSegment(Segments.Target target, CompletionPort<SegmentHandle> port) {
    Segments.open(parts().store(), transaction, target, HANDLE_OWNER, port);
  }

  @Override
  void opened(StoreFileHandle handle) {
    if (over) {
      handle.endWithTransaction();
    } else {
      handles.add(handle);
    }
  }

  @Override
  void closed(StoreFileHandle handle) {
    handles.remove(handle);
  }

  @Override
  public void rollback() {
    transaction.rollback();
  }

  /** Whether requests leave trees to be taken apart. */
  static boolean detaches(List<FileRequest> requests) {
    for (FileRequest request : requests) {
      if (request instanceof FileRequest.DeleteTree) {
        return true;
      }
    }
    return false;
  }
}
