package dev.upcall.bench.worker;

import dev.upcall.fileman.BatchResult;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.MetadataChange;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.txn.Durability;
import dev.upcall.txn.log.LogCounters;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Fills the log of a store to just below where a checkpoint begins by itself, with single durable
 * changes, many outstanding, as many clients would.
 */
final class LogFiller {
  private static final int OUTSTANDING = 64;

  /** A checkpoint begins at half of the log; what is outstanding comes on top. */
  private static final double FULL_PART = 0.48;

  private static final int NEW_FILE_BYTES = 4096;

  private final Upcall store;
  private final Kind kind;
  private final long files;
  private final SplittableRandom random = new SplittableRandom(7);
  private final Blocks blocks = new Blocks(7);
  private final String directory = "/log-" + System.nanoTime();
  private final CompletableFuture<Long> done = new CompletableFuture<>();
  private long changes;
  private long ended;
  private boolean full;
  private int going;

  /** What the changes are. */
  enum Kind {
    /** New files of 4 KiB in one directory: the log is content. */
    CREATE,
    /** The time of files anywhere in the store: short records that touch pages everywhere. */
    TOUCH
  }

  /**
   * A filler.
   *
   * @param files how many there are in the store, see {@link ManyFiles}
   */
  LogFiller(Upcall store, Kind kind, long files) {
    this.store = store;
    this.kind = kind;
    this.files = files;
  }

  /** Makes the log empty, then fills it; how many changes that took. */
  long fill() {
    if (kind == Kind.CREATE) {
      store.createDirectory(directory, false);
    }
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

  /** The part of the log that is in use. On the store's thread. */
  static double usedPart(Upcall store) {
    LogCounters log = store.fileManager().store().metrics().log();
    return (double) log.usedBlocks() / log.capacityBlocks();
  }

  private FileRequest change() {
    changes++;
    return switch (kind) {
      case CREATE ->
          ManyFiles.put(StorePath.of(directory + "/f" + changes), blocks, changes, NEW_FILE_BYTES);
      case TOUCH ->
          new FileRequest.SetMetadata(
              ManyFiles.path(random.nextLong(files)),
              LinkPolicy.FOLLOW,
              MetadataChange.NONE.withModified(changes));
    };
  }

  private final class Changer implements CompletionPort<BatchResult> {
    private void next() {
      store.fileManager().batch(List.of(change()), Durability.SYNC, this);
    }

    @Override
    public void complete(Completion<BatchResult> completion) {
      if (completion instanceof Completion.Failed<BatchResult> failed) {
        done.completeExceptionally(new IllegalStateException(failed.failure().message()));
        return;
      }
      // Looking copies all that the store counts, so not each change looks.
      full = full || (++ended % OUTSTANDING == 0 && usedPart(store) >= FULL_PART);
      if (!full) {
        next();
      } else if (--going == 0) {
        done.complete(changes);
      }
    }
  }
}
