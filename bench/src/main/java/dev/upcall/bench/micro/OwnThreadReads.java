package dev.upcall.bench.micro;

import dev.upcall.AsyncFiles;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A program on one thread of its own, with a passive port and some requests in flight. */
final class OwnThreadReads extends StoreReads {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private final AsyncFiles async;
  private final int depth;
  private long sum;

  public OwnThreadReads(Path folder, UpcallConfig config, int files, int depth) {
    super(folder, config, files);
    this.depth = depth;
    async = store().fsm().newAsyncFiles();
  }

  @Override
  public long read(int count) throws IOException {
    int begun = 0;
    try {
      while (begun < count || async.outstanding() > 0) {
        while (begun < count && async.outstanding() < depth) {
          async.read(paths().get(next()), 0, FILE_BYTES, this::arrived);
          begun++;
        }
        async.await(depth, PATIENCE);
      }
    } catch (InterruptedException interrupted) {
      throw new IOException(interrupted);
    }
    return sum;
  }

  private void arrived(Completion<byte[]> completion) {
    switch (completion) {
      case Completion.Done<byte[]>(byte[] bytes) -> sum += bytes[FILE_BYTES - 1];
      case Completion.Failed<byte[]> failed ->
          throw new IllegalStateException(failed.failure().message());
    }
  }

  @Override
  public void close() {
    async.close();
    super.close();
  }
}
