package dev.upcall.bench.edits;

import dev.upcall.BatchResult;
import dev.upcall.FileRequest;
import dev.upcall.StorePath;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.Tally;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.store.Durability;
import java.util.List;
import java.util.Random;

/** Durable inserts into 64 files at once, one outstanding in each. */
final class ManyEdits implements EditSide {
  private static final int FILES = 64;

  private final EditedStore store;
  private final byte[] bytes;
  private final long[] sizes = new long[FILES];
  private final Random random = new Random(FILES);

  ManyEdits(EditedStore store, int length, long size) {
    this.store = store;
    this.bytes = new byte[length];
    random.nextBytes(bytes);
    for (int i = 0; i < FILES; i++) {
      store.make("f" + i, size);
      sizes[i] = size;
    }
  }

  @Override
  public Tally run(long nanos) {
    int[] next = new int[1];
    return ClosedLoop.run(
        store.store()::execute, FILES, nanos, loop -> new Inserts(loop, next[0]++));
  }

  @Override
  public void close() {
    // The files are the store's.
  }

  private final class Inserts extends ClosedLoop.Chain implements CompletionPort<BatchResult> {
    private final int file;
    private final StorePath path;

    private Inserts(ClosedLoop loop, int file) {
      super(loop);
      this.file = file;
      this.path = StorePath.of("/f" + file);
    }

    @Override
    protected void begin() {
      long at = random.nextLong(sizes[file] + 1);
      store
          .store()
          .fileManager()
          .batch(List.of(new FileRequest.Splice(path, at, 0, bytes)), Durability.SYNC, this);
    }

    @Override
    public void complete(Completion<BatchResult> completion) {
      switch (completion) {
        case Completion.Done<BatchResult> _ -> {
          sizes[file] += bytes.length;
          done();
        }
        case Completion.Failed<BatchResult> failed -> failed(failed.failure());
      }
    }
  }
}
