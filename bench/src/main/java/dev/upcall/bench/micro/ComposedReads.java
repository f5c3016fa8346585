package dev.upcall.bench.micro;

import dev.upcall.StorePath;
import dev.upcall.UpcallConfig;
import dev.upcall.stage.StageFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A program that composes stages, some requests in flight, completed on a thread beside it. */
final class ComposedReads extends StoreReads {
  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private final StageFiles stages;
  private final int depth;

  ComposedReads(Path folder, UpcallConfig config, int files, int depth) {
    super(folder, config, files);
    this.depth = depth;
    stages = store().fsm().newStageFiles(executor);
  }

  @Override
  public long read(int count) {
    long sum = 0;
    List<CompletableFuture<byte[]>> flight = new ArrayList<>(depth);
    for (int begun = 0; begun < count; begun += flight.size()) {
      flight.clear();
      for (int i = begun; i < Math.min(begun + depth, count); i++) {
        StorePath path = paths().get(next());
        flight.add(stages.read(path, 0, FILE_BYTES).toCompletableFuture());
      }
      for (CompletableFuture<byte[]> read : flight) {
        sum += read.join()[FILE_BYTES - 1];
      }
    }
    return sum;
  }

  @Override
  public void close() {
    stages.close();
    super.close();
    executor.shutdown();
  }
}
