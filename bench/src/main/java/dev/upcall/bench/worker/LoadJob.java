package dev.upcall.bench.worker;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.workload.ManyFiles;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Makes a store of {@link ManyFiles}; done when it is ready. Options: {@code volume} (made), {@code
 * files}, {@code bytes} (of each), {@code cap}.
 */
final class LoadJob implements Job {
  private final Upcall store;

  LoadJob(Fields options) throws IOException, InterruptedException {
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(options.number("cap"));
    store = Upcall.create(Path.of(options.text("volume")), config);
    ManyFiles.load(store, options.number("files"), (int) options.number("bytes"));
    store.checkpoint();
  }

  @Override
  public void close() {
    store.close();
  }
}
