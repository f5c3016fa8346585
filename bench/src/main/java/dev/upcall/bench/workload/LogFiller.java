package dev.upcall.bench.workload;

import dev.upcall.BatchResult;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.bench.job.Blocks;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.log.LogCounters;
import dev.upcall.txn.metrics.StoreMetrics;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * Fills the log of a store to just below where a checkpoint begins by itself, because of the log or
 * of the tree pages that are dirty, with single durable changes, many outstanding, as many clients
 * would.
 */
public final class LogFiller {
  private static final int OUTSTANDING = 64;

  /** A checkpoint begins at a quarter of the log; what is outstanding comes on top. */
  private static final double FULL_LOG_PART = 0.24;

  /** And with half of the memory for tree pages dirty. */
  private static final double FULL_PAGES_PART = 0.48;

  private static final int NEW_FILE_BYTES = 4096;

  private final FsmUpcall store;
  private final LongFunction<FileRequest> change;
  private final long memoryPages;
  private final CompletableFuture<Long> done = new CompletableFuture<>();
  private long most;
  private long changes;
  private long ended;
  private boolean full;
  private int going;

  /** What the changes are. */
  public enum Kind {
    /** New files of 4 KiB in one directory: the log is content. */
    CREATE,
    /** The time of files anywhere in the store: short records that touch pages everywhere. */
    TOUCH
  }

  /**
   * A filler.
   *
   * @param files how many there are in the store, see {@link ManyFiles}
   * @param memoryBytes the store's
   */
  public LogFiller(FsmUpcall store, Kind kind, long files, long memoryBytes) {
    this(store, changes(store, kind, files), memoryBytes);
  }

  /**
   * One of other changes.
   *
   * @param change the n-th; called on the store's thread
   * @param memoryBytes the store's
   */
  public LogFiller(FsmUpcall store, LongFunction<FileRequest> change, long memoryBytes) {
    this.store = store;
    this.change = change;
    this.memoryPages = StoreConfig.ofMemory(memoryBytes).pageCacheBytes() / Blocks.BYTES;
  }

  private static LongFunction<FileRequest> changes(FsmUpcall store, Kind kind, long files) {
    SplittableRandom random = new SplittableRandom(7);
    Blocks blocks = new Blocks(7);
    String directory = "/log-" + System.nanoTime();
    if (kind == Kind.CREATE) {
      store.createDirectory(directory);
    }
    return number ->
        switch (kind) {
          case CREATE ->
              ManyFiles.put(
                  StorePath.of(directory + "/f" + number), blocks, number, NEW_FILE_BYTES);
          case TOUCH ->
              new FileRequest.SetMetadata(
                  ManyFiles.path(random.nextLong(files)),
                  LinkPolicy.FOLLOW,
                  MetadataChange.NONE.withModifiedNanos(number));
        };
  }

  /** Makes the log empty, then fills it; how many changes that took. */
  public long fill() {
    return fill(Long.MAX_VALUE);
  }

  /** The same with so many changes at most (or a few more). */
  public long fill(long mostChanges) {
    most = mostChanges;
    store.checkpoint();
    store.execute(
        () -> {
          going = OUTSTANDING;
          for (int i = 0; i < OUTSTANDING; i++) {
            new Changer().next();
          }
        });
    return done.join();
  }

  private boolean isFull() {
    StoreMetrics metrics = store.fileManager().store().metrics();
    LogCounters log = metrics.log();
    return ended >= most
        || log.usedBlocks() >= FULL_LOG_PART * log.capacityBlocks()
        || metrics.work().dirtyPages() >= FULL_PAGES_PART * memoryPages;
  }

  private final class Changer implements CompletionPort<BatchResult> {
    private void next() {
      store.fileManager().batch(List.of(change.apply(++changes)), Durability.SYNC, this);
    }

    @Override
    public void complete(Completion<BatchResult> completion) {
      if (completion instanceof Completion.Failed<BatchResult> failed) {
        done.completeExceptionally(new IllegalStateException(failed.failure().message()));
        return;
      }
      // Looking copies all that the store counts, so not each change looks.
      full = full || (++ended % OUTSTANDING == 0 && isFull());
      if (!full) {
        next();
      } else if (--going == 0) {
        done.complete(changes);
      }
    }
  }
}
