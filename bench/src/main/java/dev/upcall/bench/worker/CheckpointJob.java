package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fsm.Completion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Reads of 4 KiB blocks of a large file, a number outstanding, with or without a checkpoint at the
 * same time. Both begin alike, with a log that is full up to where a checkpoint is due. Options:
 * {@code volume} (of {@link ManyFiles} and a large file), {@code file} (what is read), {@code
 * files}, {@code kind} (of changes, {@link LogFiller.Kind}), {@code memory}, {@code depth}, {@code
 * during} (true: reads go on exactly as long as the checkpoint does).
 */
final class CheckpointJob implements Worker.Job {
  private final Upcall store;
  private final long files;
  private final LogFiller.Kind kind;
  private final int depth;
  private final boolean during;
  private final RandomReads reads;

  CheckpointJob(Fields options) {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(options.number("memory"));
    store = Upcall.open(Path.of(options.text("volume")), config);
    files = options.number("files");
    kind = LogFiller.Kind.valueOf(options.text("kind").toUpperCase(Locale.ROOT));
    depth = (int) options.number("depth");
    during = Boolean.parseBoolean(options.text("during"));
    reads = RandomReads.open(store, options.text("file"));
  }

  @Override
  public Tally run(long nanos) throws IOException {
    new LogFiller(store, kind, files).fill();
    if (!during) {
      return ClosedLoop.run(store::execute, depth, nanos, reads::chain);
    }
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
    return tally;
  }

  @Override
  public void close() {
    reads.close();
    store.close();
  }
}
