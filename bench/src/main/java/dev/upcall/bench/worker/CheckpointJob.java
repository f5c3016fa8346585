package dev.upcall.bench.worker;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.LogFiller;
import dev.upcall.bench.workload.ManyFiles;
import dev.upcall.bench.workload.RandomReads;
import dev.upcall.completion.Completion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Reads of 4 KiB blocks of a large file, a number outstanding: for a time without a checkpoint,
 * then exactly as long as a checkpoint takes, that of a log which is as full as it gets (or of
 * {@link #MOST_CHANGES}). The first are told as {@code before}. Options: {@code volume} (of {@link
 * ManyFiles} and a large file), {@code file} (what is read), {@code files}, {@code kind} (of
 * changes, {@link LogFiller.Kind}), {@code memory}, {@code depth}.
 */
final class CheckpointJob implements Job.Timed {
  /** So many small changes all over a hundred thousand files leave hardly a page clean. */
  private static final long MOST_CHANGES = 20_000;

  private final FsmUpcall store;
  private final long files;
  private final long memoryBytes;
  private final LogFiller.Kind kind;
  private final int depth;
  private final RandomReads reads;

  CheckpointJob(Fields options) {
    memoryBytes = options.number("memory");
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(memoryBytes);
    store =
        Upcall.open(Path.of(options.text("volume")), new DeviceChoice(options).in(config)).fsm();
    files = options.number("files");
    kind = LogFiller.Kind.valueOf(options.text("kind").toUpperCase(Locale.ROOT));
    depth = (int) options.number("depth");
    reads = RandomReads.open(store, options.text("file"));
  }

  @Override
  public Tally run(long nanos) throws IOException {
    new LogFiller(store, kind, files, memoryBytes).fill(MOST_CHANGES);
    String before = ClosedLoop.run(store::execute, depth, nanos, reads::chain).describe("before.");
    CompletableFuture<Boolean> written = new CompletableFuture<>();
    FileManager manager = store.fileManager();
    store.execute(
        () ->
            manager
                .store()
                .checkpoint(
                    completion -> written.complete(completion instanceof Completion.Done<?>)));
    Tally tally = ClosedLoop.run(store::execute, depth, _ -> !written.isDone(), reads::chain);
    if (!written.join()) {
      throw new IOException("the checkpoint failed");
    }
    return tally.remark(before);
  }

  @Override
  public void close() {
    reads.close();
    store.close();
  }
}
