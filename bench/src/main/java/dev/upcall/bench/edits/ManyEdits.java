package dev.upcall.bench.edits;

import dev.upcall.BatchResult;
import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.Tally;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.util.List;
import java.util.Random;

/** Durable inserts into 64 files at once, one outstanding in each. */
final class ManyEdits implements EditSide {
  private static final int FILES = 64;

  private final EditedStore store;
  private final String prefix;
  private final byte[] bytes;
  private final long[] sizes = new long[FILES];
  private final Random random = new Random(FILES);

  /**
   * Makes the files.
   *
   * @param prefix of their names
   * @param length of an insert
   * @param size of each file
   */
  ManyEdits(EditedStore store, String prefix, int length, long size) {
    this.store = store;
    this.prefix = prefix;
    this.bytes = new byte[length];
    random.nextBytes(bytes);
    for (int i = 0; i < FILES; i++) {
      store.make(prefix + i, size);
      sizes[i] = size;
    }
  }

  @Override
  public Tally run(long nanos) {
    int[] next = new int[1];
    long written = store.writtenBytes();
    Tally tally =
        ClosedLoop.run(store.store()::execute, FILES, nanos, loop -> new Inserts(loop, next[0]++));
    written = store.writtenBytes() - written;
    FileInfo first = store.store().stat("/" + prefix + 0);
    return tally.remark(
        "bytes-written-for-each-inserted=%.1f pieces-of-the-first=%d utilization=%.3f",
        (double) written / (tally.units() * bytes.length),
        first.stored().pieces(),
        (double) first.sizeBytes() / first.stored().bytes());
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
      this.path = StorePath.of("/" + prefix + file);
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
