package dev.upcall.bench.worker;

import dev.upcall.fileman.AsyncFiles;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.StageMeter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An application with one thread of its own (composition 2): keeps a number of requests in the
 * store's queue and drains the passive port. Runs on the thread that made it.
 */
final class OwnThreadReads implements CompositionJob.Application {
  private static final int LIMIT = 256;
  private static final long PATIENCE_NANOS = 1_000_000_000;

  private final AsyncFiles asyncFiles;
  private final List<StorePath> paths;
  private final int bytesEach;
  private final ArrayDeque<Read> idle = new ArrayDeque<>();
  private final SplittableRandom random = new SplittableRandom(System.nanoTime());
  private @Nullable Failure failure;

  /**
   * Opens a door.
   *
   * @param paths of the files, by their numbers
   */
  OwnThreadReads(Upcall store, List<StorePath> paths, int bytesEach, int depth) {
    this.asyncFiles = store.newAsyncFiles();
    this.paths = paths;
    this.bytesEach = bytesEach;
    for (int i = 0; i < depth; i++) {
      idle.add(new Read());
    }
  }

  /** The stamps of the reads. */
  StageMeter stages() {
    return asyncFiles.stages();
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    Tally tally = new Tally();
    long deadlineNanos = System.nanoTime() + nanos;
    while (failure == null && System.nanoTime() < deadlineNanos) {
      while (!idle.isEmpty()) {
        idle.remove().begin(tally);
      }
      asyncFiles.await(LIMIT, PATIENCE_NANOS);
    }
    while (asyncFiles.outstanding() > 0) {
      asyncFiles.await(LIMIT, PATIENCE_NANOS);
    }
    tally.end();
    if (failure != null) {
      throw new IOException(failure.message());
    }
    return tally;
  }

  @Override
  public void close() {
    asyncFiles.close();
  }

  private final class Read implements CompletionPort<byte[]> {
    private Tally tally = new Tally();
    private int number;
    private long beganNanos;

    private void begin(Tally into) {
      tally = into;
      number = random.nextInt(paths.size());
      beganNanos = System.nanoTime();
      asyncFiles.read(paths.get(number), 0, bytesEach, this);
    }

    @Override
    public void complete(Completion<byte[]> completion) {
      switch (completion) {
        case Completion.Done<byte[]>(byte[] bytes) -> {
          ManyFiles.check(number, bytesEach, bytes);
          tally.add(1, System.nanoTime() - beganNanos);
        }
        case Completion.Failed<byte[]> failed -> failure = failed.failure();
      }
      idle.add(this);
    }
  }
}
