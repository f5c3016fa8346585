package dev.upcall.bench.micro;

import dev.upcall.StorePath;
import dev.upcall.UpcallConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A thread that calls and waits ({@link dev.upcall.Upcall#readAllBytes}), whatever engine serves
 * it: the benchmark's own, or a virtual one.
 */
final class FacadeReads extends StoreReads {
  private final List<String> names;
  private final boolean virtual;

  public FacadeReads(Path folder, UpcallConfig config, int files, boolean virtual) {
    super(folder, config, files);
    this.virtual = virtual;
    this.names = paths().stream().map(StorePath::toString).toList();
  }

  @Override
  public long read(int count) {
    if (!virtual) {
      return readHere(count);
    }
    CompletableFuture<Long> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                done.complete(readHere(count));
              } catch (RuntimeException failed) {
                done.completeExceptionally(failed);
              }
            });
    return done.join();
  }

  private long readHere(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += store().readAllBytes(names.get(next()))[FILE_BYTES - 1];
    }
    return sum;
  }
}
